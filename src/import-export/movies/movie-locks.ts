import { statement, type SqlExecutor } from '../../database/database';
import { NO_SORT_ORDER } from '../engine/record';
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
     AND (r.name <> p.name OR r.name_en <> p.name_en)
   UNION
   SELECT subject_id::float8 FROM credits
   WHERE celebrity_id = ANY($3::bigint[]) AND featured_sort_order < ${NO_SORT_ORDER}`,
);
const SAVEPOINT = statement('import_export.begin_movie_locks', 'SAVEPOINT movie_locks');
const ROLLBACK_TO_SAVEPOINT = statement(
  'import_export.roll_back_movie_locks',
  'ROLLBACK TO SAVEPOINT movie_locks',
);
const RELEASE_SAVEPOINT = statement(
  'import_export.release_movie_savepoint',
  'RELEASE SAVEPOINT movie_locks',
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
  /** Celebrities whose record lists works; their other works lose their featured rank. */
  readonly withNewWorks = new Set<number>();

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
      const hasWorks = kind.children?.(record).some((part) => part.kind.name === 'credit');
      if (hasWorks === true) this.withNewWorks.add(id);
    }
    for (const parts of [kind.dependencies?.(record), kind.children?.(record)])
      for (const part of parts ?? [])
        for (const one of part.records) this.add(part.kind, one, true);
  }
}

/**
 * Locks the existing users, subjects and celebrities that storing records changes, in this order
 * and by id. Films and people nest each other, so that their imports would take these locks in
 * opposite orders. If further subjects must be locked after the
 * celebrities, the locks on subjects and celebrities are released and taken again in order.
 */
export async function lockMovieRows(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
): Promise<void> {
  const rows = new ChangedRows();
  for (const record of records) rows.add(kind, record, false);
  await lockUsersOf(executor, rows.users);
  const subjects = new Set([...rows.subjects, ...(await subjectsOf(executor, rows))]);
  await executor.query(SAVEPOINT);
  for (;;) {
    await executor.query(LOCK_SUBJECTS, [[...subjects]]);
    await executor.query(LOCK_CELEBRITIES, [[...rows.celebrities], [...rows.nestedCelebrities]]);
    // While this transaction waited, others may have renamed the celebrities or credited them
    // elsewhere.
    const more = (await subjectsOf(executor, rows)).filter((id) => !subjects.has(id));
    if (more.length === 0) break;
    for (const id of more) subjects.add(id);
    await executor.query(ROLLBACK_TO_SAVEPOINT);
  }
  await executor.query(RELEASE_SAVEPOINT);
}

/** The subjects that storing records changes and that follow from stored rows. */
async function subjectsOf(executor: SqlExecutor, rows: ChangedRows): Promise<number[]> {
  const subjects = await executor.query<{ id: number }>(SUBJECTS, [
    [...rows.nestedSubjects],
    JSON.stringify([...rows.named.values()]),
    [...rows.withNewWorks],
  ]);
  return subjects.map(({ id }) => id);
}
