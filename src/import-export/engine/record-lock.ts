import { statement, type Runner } from '../../database/database';

/**
 * Kinds whose records administrators change, and kinds that write records of those: by the kind, the
 * records that are locked.
 */
const LOCKED: Readonly<Record<string, string>> = {
  book: 'book',
  'book-stub': 'book',
  edition: 'book',
  movie: 'movie',
  // Credits are the people of a film.
  credit: 'movie',
  celebrity: 'celebrity',
  photo: 'photo',
  event: 'event',
  loc: 'loc',
  'loc-stub': 'loc',
};

const KEY = `hashtextextended('records:' || $1, 0)`;
const SHARE = statement('transfer.share_records', `SELECT pg_advisory_xact_lock_shared(${KEY})`);
const HOLD = statement('transfer.hold_records', `SELECT pg_advisory_xact_lock(${KEY})`);

/**
 * Lets a transaction read and write records of a kind that nobody changes by hand meanwhile. Imports
 * do not wait for each other. One lock for all records of a kind: a lock each would fill the lock
 * table of PostgreSQL, and rows that are not there yet cannot be locked.
 */
export async function shareRecords(runner: Runner, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await runner.query(SHARE, [records]);
}

/**
 * Lets a transaction read a record, change members of it and write all of it, while no import writes
 * records of the kind: a change waits for the batches that are being stored, and the next wait for it.
 */
export async function holdRecords(runner: Runner, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await runner.query(HOLD, [records]);
}
