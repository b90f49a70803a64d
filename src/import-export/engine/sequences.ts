import { statement, type Runner, type Statement } from '../../database/database';

const TABLES = [
  'users',
  'series',
  'books',
  'collections',
  'annotations',
  'reviews',
  'cities',
  'subjects',
  'celebrities',
  'credits',
  'photos',
  'movie_reviews',
  'movie_comments',
  'showings',
  'chart_snapshots',
  'events',
  'participations',
  'notes',
  'note_versions',
  'note_replies',
  'banned_words',
  'held_content',
  'reports',
] as const;
export type Table = (typeof TABLES)[number];

const each = (make: (table: Table) => Statement): Record<Table, Statement> =>
  Object.fromEntries(TABLES.map((table) => [table, make(table)])) as Record<Table, Statement>;

// One that has given no number yet gives its last value first.
const IS_BEHIND = 'last_value < $1::bigint OR (last_value = $1::bigint AND NOT is_called)';

const BEHIND = each((table) =>
  statement(`transfer.behind_${table}`, `SELECT 1 FROM ${table}_id_seq WHERE ${IS_BEHIND}`),
);

// Two imports that both set a sequence could set it back: the second waits for the first.
const LOCK = each((table) =>
  statement(
    `transfer.lock_sequence_${table}`,
    `SELECT pg_advisory_xact_lock('${table}_id_seq'::regclass::oid::bigint)`,
  ),
);

const BUMP = each((table) =>
  statement(
    `transfer.bump_${table}`,
    `SELECT setval('${table}_id_seq', $1::bigint) FROM ${table}_id_seq WHERE ${IS_BEHIND}`,
  ),
);

/**
 * Ids from here on leave a sequence where it is. Numbers past 2^53 are rounded, so that two of them
 * are one; one record at that end would leave no numbers after it. Half of all numbers are the
 * service's own: it would have to make 2^52 things before it met what records brought there.
 */
const FOREIGN = 2 ** 52;

/**
 * Lets the next id of a table come after these, which are about to be inserted. A sequence is never
 * set back, and never moved to where it would run out of numbers.
 */
export async function reserveIds(
  runner: Runner,
  table: Table,
  ids: readonly (number | undefined)[],
): Promise<void> {
  const highest = ids.reduce<number>(
    (most, id = 0) => (id < FOREIGN ? Math.max(most, id) : most),
    0,
  );
  if ((await runner.query(BEHIND[table], [highest])).length === 0) return;
  await runner.query(LOCK[table]);
  await runner.query(BUMP[table], [highest]);
}
