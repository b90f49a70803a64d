import { OperationError } from '../../api/errors/errors';
import { isAboutData } from '../../import-export/engine/import.service';

/** What SQLSTATE codes and classes say of a record, in words that tell nothing of the database. */
const WORDS: readonly (readonly [code: string, words: string])[] = [
  ['22003', 'a number is too large'],
  ['22', 'a value cannot be stored'],
  ['23', 'the record does not go with what is there'],
  ['54', 'a text is too long'],
];

/** What the database refused about a record, as an answer; any other failure is thrown again. */
export function toRecordError(error: unknown): OperationError {
  if (error instanceof OperationError) return error;
  if (!isAboutData(error)) throw error;
  const { code = '', detail = '' } = error as { code?: string; detail?: string };
  const taken = code === '23505' ? /^Key \((\w+)\)=/.exec(detail)?.[1] : undefined;
  if (taken !== undefined) return new OperationError(`${taken} is taken`);
  const words = WORDS.find(([start]) => code.startsWith(start))?.[1];
  return new OperationError(words ?? 'a value cannot be stored');
}
