import { statement, type SqlExecutor } from '../../database/database';

/** Maps kinds that write administrator-editable records to the kind whose lock they take. */
const LOCKED: Readonly<Record<string, string>> = {
  book: 'book',
  'book-placeholder': 'book',
  edition: 'book',
  movie: 'movie',
  // Credits are written with their movie.
  credit: 'movie',
  celebrity: 'celebrity',
  photo: 'photo',
  event: 'event',
  loc: 'loc',
  'loc-placeholder': 'loc',
};

const KEY = `hashtextextended('records:' || $1, 0)`;
const SHARE = statement(
  'import_export.share_records',
  `SELECT pg_advisory_xact_lock_shared(${KEY})`,
);
const HOLD = statement('import_export.hold_records', `SELECT pg_advisory_xact_lock(${KEY})`);

/**
 * Takes the shared lock of a kind: administrators cannot edit its records until the transaction
 * ends, while imports run concurrently. There is one lock per kind because a lock per record would
 * fill the lock table of PostgreSQL, and rows that do not exist yet cannot be locked.
 */
export async function shareRecords(executor: SqlExecutor, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await executor.query(SHARE, [records]);
}

/**
 * Takes the exclusive lock of a kind, so that no import writes its records while an administrator
 * reads, edits and writes one. The edit waits for running batches, and later batches wait for the
 * edit.
 */
export async function holdRecords(executor: SqlExecutor, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await executor.query(HOLD, [records]);
}
