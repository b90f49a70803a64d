import { type RecordPreview, type RecordsService } from '../../admin/records/records.service';
import { type RecordType } from '../../admin/records/record-types';
import { ApiError } from '../../api/errors/error-codes';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { memberProblem, problemText } from '../messages/problems';
import { membersOf } from './record-form';

/** Messages by member name; the key is empty for errors of the whole record. */
export type RecordErrors = ReadonlyMap<string, string>;

/** The name at the start of the detail of an error: `rating` in `rating.average must be ...`. */
const NAMED = /^([\w-]+)(?:\.\w+)*(?: |: )(.*)$/s;

/** The member that an error is about, and the sentence about it. @throws other errors */
export function describeRecordError(type: string, lang: string, error: unknown): [string, string] {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  const detail = error.detail ?? error.message;
  const [, name = '', problem = ''] = NAMED.exec(detail) ?? [];
  return name in membersOf(type)
    ? [name, memberProblem(lang, problem)]
    : ['', problemText(lang, detail)];
}

/** A change that was tried: its result, or what is wrong with each of its members. */
export type TriedChange =
  | { readonly preview: RecordPreview; readonly changes: WireRecord }
  | { readonly errors: RecordErrors; readonly status: number };

/**
 * Tries a change without storing it. The service reports one error at a time, so the change is tried
 * again without the invalid member.
 * @param read reads the change
 * @throws ApiError 1001 when the record is not found
 */
export async function tryChange(
  records: RecordsService,
  {
    type,
    id,
    lang,
  }: { readonly type: RecordType; readonly id?: number | undefined; readonly lang: string },
  read: () => WireRecord,
): Promise<TriedChange> {
  const errors = new Map<string, string>();
  let status = 400;
  let changes: WireRecord | undefined;
  for (;;) {
    try {
      changes ??= read();
      const preview = await records.preview(type, id, changes);
      return errors.size === 0 ? { preview, changes } : { errors, status };
    } catch (error) {
      const [member, sentence] = describeRecordError(type.name, lang, error);
      if (errors.size === 0) ({ status } = error as ApiError);
      const isNew = !errors.has(member);
      if (isNew) errors.set(member, sentence);
      if (!isNew || changes === undefined || !(member in changes)) return { errors, status };
      changes = Object.fromEntries(Object.entries(changes).filter(([name]) => name !== member));
    }
  }
}
