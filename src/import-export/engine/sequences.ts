import { statement, type SqlExecutor, type Statement } from '../../database/database';

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
  'moderation_queue',
  'reports',
] as const;
export type Table = (typeof TABLES)[number];

const each = (make: (table: Table) => Statement): Record<Table, Statement> =>
  Object.fromEntries(TABLES.map((table) => [table, make(table)])) as Record<Table, Statement>;

// An unused sequence returns its last value first.
const IS_BEHIND = 'last_value < $1::bigint OR (last_value = $1::bigint AND NOT is_called)';

const BEHIND = each((table) =>
  statement(`import_export.behind_${table}`, `SELECT 1 FROM ${table}_id_seq WHERE ${IS_BEHIND}`),
);

const ADVANCE = each((table) =>
  statement(
    `import_export.advance_${table}`,
    `SELECT advance_sequence('${table}_id_seq'::regclass, $1::bigint)`,
  ),
);

const NEXT = each((table) =>
  statement(`import_export.next_id_of_${table}`, `SELECT nextval('${table}_id_seq')::float8 AS id`),
);

/** The next id of a table. */
export async function nextId(executor: SqlExecutor, table: Table): Promise<number> {
  const [row] = await executor.query<{ id: number }>(NEXT[table]);
  return row?.id ?? 0;
}

/**
 * Imported ids from here on do not advance sequences. JSON rounds numbers above 2^53, and a single
 * id near that limit would exhaust the sequence. The lower half is reserved for the service, which
 * never creates 2^52 rows.
 */
const FOREIGN = 2 ** 52;

/**
 * Advances the sequence of a table past the ids that are about to be inserted. It never sets a
 * sequence back or moves it near exhaustion. Other imports do not wait for the transaction to end.
 */
export async function reserveIds(
  executor: SqlExecutor,
  table: Table,
  ids: readonly (number | undefined)[],
): Promise<void> {
  const highest = ids.reduce<number>(
    (most, id = 0) => (id < FOREIGN ? Math.max(most, id) : most),
    0,
  );
  if ((await executor.query(BEHIND[table], [highest])).length === 0) return;
  await executor.query(ADVANCE[table], [highest]);
}
