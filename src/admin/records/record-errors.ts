import { OperationError } from '../../api/errors/error-codes';
import { isAboutData } from '../../import-export/engine/data-errors';

/** Messages by SQLSTATE code or class, without details of the database. */
const CONSTRAINT_MESSAGES: readonly (readonly [code: string, message: string])[] = [
  ['22003', 'a number is too large'],
  ['22', 'a value cannot be stored'],
  ['23', 'the record conflicts with stored data'],
  ['54', 'a text is too long'],
];

/** Converts a constraint violation into an error response; rethrows any other error. */
export function toRecordError(error: unknown): OperationError {
  if (error instanceof OperationError) return error;
  if (!isAboutData(error)) throw error;
  const { code = '', detail = '' } = error as { code?: string; detail?: string };
  const taken = code === '23505' ? /^Key \((\w+)\)=/.exec(detail)?.[1] : undefined;
  if (taken !== undefined) return new OperationError(`${taken} is already in use`);
  const message = CONSTRAINT_MESSAGES.find(([start]) => code.startsWith(start))?.[1];
  return new OperationError(message ?? 'a value cannot be stored');
}
