import { statement, type SqlExecutor } from '../../database/database';

/** Kinds whose records nest each other. A transaction takes their locks in this order. */
const MOVIES = ['celebrity', 'movie', 'photo'] as const;

/** Maps kinds to the administrator-editable kinds that they write, whose locks they take. */
const LOCKED: Readonly<Record<string, readonly string[]>> = {
  book: ['book'],
  'book-placeholder': ['book'],
  edition: ['book'],
  movie: MOVIES,
  credit: MOVIES,
  celebrity: MOVIES,
  photo: MOVIES,
  'movie-review': MOVIES,
  'movie-comment': MOVIES,
  showing: MOVIES,
  chart: MOVIES,
  event: ['event'],
  loc: ['loc'],
  'loc-placeholder': ['loc'],
};

// One statement: it takes the locks in the order of the array.
const LOCK = statement(
  'import_export.lock_records',
  `SELECT CASE WHEN k.name = $2 THEN pg_advisory_xact_lock(k.key)
     ELSE pg_advisory_xact_lock_shared(k.key) END
   FROM (SELECT name, hashtextextended('records:' || name, 0) AS key
     FROM unnest($1::text[]) AS n(name)) k`,
);

/**
 * Takes the shared locks of the records that a kind writes: administrators cannot edit its records
 * until the transaction ends, while imports run concurrently. There is one lock per kind because a
 * lock per record would fill the lock table of PostgreSQL, and rows that do not exist yet cannot be
 * locked.
 */
export async function shareRecords(executor: SqlExecutor, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await executor.query(LOCK, [records, null]);
}

/**
 * Takes the exclusive lock of a kind, so that no import writes its records while an administrator
 * reads, edits and writes one. The edit waits for running batches, and later batches wait for the
 * edit.
 */
export async function holdRecords(executor: SqlExecutor, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await executor.query(LOCK, [records, kind]);
}
