import { statement, type SqlExecutor } from '../../database/database';
import { type RecordHandler } from '../engine/record-handler';
import { lockUsersOf } from '../users/authors';
import { type UserRecord } from '../users/user.handler';
import { LOCK_SUBJECTS } from './subject-search';

/** Members of records of this folder, also of the `input` of those with omitted fields. */
interface Members {
  readonly id?: number;
  readonly subject_id?: number | null;
  readonly celebrity_id?: number | null;
  readonly user_id?: number | null;
  readonly author?: UserRecord | undefined;
  readonly name?: string;
  readonly name_en?: string;
}

/** Kinds whose records change their subject: its search text, counts or album. */
const OF_SUBJECTS = new Set(['credit', 'photo', 'movie-review', 'movie-comment']);

// Nested records only fill the blanks of placeholders. Others stay unlocked, because many batches
// name the same people.
const SUBJECTS = statement(
  'import_export.subjects_of_nested_records',
  `SELECT id::float8 AS id FROM subjects WHERE id = ANY($1::bigint[]) AND placeholder AND title = ''
   UNION
   SELECT c.subject_id::float8
   FROM json_to_recordset($2::json) AS r(id bigint, name text, name_en text, nested boolean)
   JOIN celebrities p ON p.id = r.id
   JOIN credits c ON c.celebrity_id = p.id AND c.role IN ('director', 'actor', 'writer')
   WHERE (NOT r.nested OR (p.placeholder AND p.name = ''))
     AND (r.name <> p.name OR r.name_en <> p.name_en)`,
);
const LOCK_CELEBRITIES = statement(
  'import_export.lock_celebrities_of_records',
  `SELECT 1 FROM celebrities
   WHERE id = ANY($1::bigint[] || $2::bigint[])
     AND (id = ANY($1::bigint[]) OR (placeholder AND name = ''))
   ORDER BY id FOR NO KEY UPDATE`,
);

/** The rows that storing records changes, including their nested records. */
class ChangedRows {
  readonly users: { user_id: number; author: UserRecord | undefined }[] = [];
  readonly subjects = new Set<number>();
  readonly nestedSubjects = new Set<number>();
  readonly celebrities = new Set<number>();
  readonly nestedCelebrities = new Set<number>();
  /** Celebrities whose name is part of the search texts of their subjects. */
  readonly named = new Map<string, Members & { readonly nested: boolean }>();

  add(kind: RecordHandler, record: unknown, nested: boolean): void {
    const { input, ...own } = record as Members & { readonly input?: Members };
    const { id, subject_id, celebrity_id, user_id, author, name, name_en } = { ...own, ...input };
    if (typeof user_id === 'number') this.users.push({ user_id, author });
    if (OF_SUBJECTS.has(kind.name) && typeof subject_id === 'number') this.subjects.add(subject_id);
    if (kind.name === 'photo' && typeof celebrity_id === 'number')
      this.celebrities.add(celebrity_id);
    if (id !== undefined && kind.name === 'movie')
      (nested ? this.nestedSubjects : this.subjects).add(id);
    if (id !== undefined && kind.name === 'celebrity') {
      (nested ? this.nestedCelebrities : this.celebrities).add(id);
      this.named.set(`${id} ${name} ${name_en}`, { id, name, name_en, nested });
    }
    for (const parts of [kind.dependencies?.(record), kind.children?.(record)])
      for (const part of parts ?? [])
        for (const one of part.records) this.add(part.kind, one, true);
  }
}

/**
 * Locks the existing users, subjects and celebrities that storing records changes, in this order and
 * by id. Films and people nest each other, so that their imports would take these locks in opposite
 * orders.
 */
export async function lockMovieRows(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
): Promise<void> {
  const rows = new ChangedRows();
  for (const record of records) rows.add(kind, record, false);
  await lockUsersOf(executor, rows.users);
  const more = await executor.query<{ id: number }>(SUBJECTS, [
    [...rows.nestedSubjects],
    JSON.stringify([...rows.named.values()]),
  ]);
  await executor.query(LOCK_SUBJECTS, [[...rows.subjects, ...more.map(({ id }) => id)]]);
  await executor.query(LOCK_CELEBRITIES, [[...rows.celebrities], [...rows.nestedCelebrities]]);
}
