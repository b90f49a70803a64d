import { statement, type SqlExecutor } from '../database/database';

/** Kinds of records that can be merged, by the names of their record handlers. */
export const MERGED_KINDS = ['book', 'movie'] as const;
export type MergedKind = (typeof MERGED_KINDS)[number];

/** A merged record and the record that it was merged into. */
export interface MergedRow {
  readonly kind: MergedKind;
  readonly id: number;
  readonly survivor_id: number;
}

const ALL = statement(
  'merges.all',
  'SELECT kind, id::float8 AS id, survivor_id::float8 AS survivor_id FROM merged_records',
);

const SURVIVORS = statement(
  'merges.survivors',
  `SELECT id::float8 AS id, survivor_id::float8 AS survivor_id FROM merged_records
   WHERE kind = $1 AND id = ANY($2::bigint[])`,
);

const ARE_SURVIVORS = statement(
  'merges.are_survivors',
  `SELECT DISTINCT survivor_id::float8 AS id FROM merged_records
   WHERE kind = $1 AND survivor_id = ANY($2::bigint[])`,
);

const MERGED_INTO = statement(
  'merges.merged_into',
  'SELECT id::text AS id FROM merged_records WHERE kind = $1 AND survivor_id = $2 ORDER BY merged_records.id',
);

// Ids that were merged into the record before have the new survivor, too.
const MERGE = statement(
  'merges.merge',
  `WITH earlier AS (
     UPDATE merged_records SET survivor_id = $3 WHERE kind = $1 AND survivor_id = $2)
   INSERT INTO merged_records (kind, id, survivor_id) VALUES ($1, $2, $3)`,
);

/** All merged records. */
export const listMergedRecords = (executor: SqlExecutor): Promise<MergedRow[]> =>
  executor.query<MergedRow>(ALL);

/** The survivors of those of the ids that were merged, by id. */
export async function findSurvivors(
  executor: SqlExecutor,
  kind: MergedKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await executor.query<Omit<MergedRow, 'kind'>>(SURVIVORS, [kind, ids]);
  return new Map(rows.map(({ id, survivor_id }) => [id, survivor_id]));
}

/** Those of the ids into which other records were merged. */
export async function filterSurvivors(
  executor: SqlExecutor,
  kind: MergedKind,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await executor.query<{ id: number }>(ARE_SURVIVORS, [kind, ids]);
  return new Set(rows.map(({ id }) => id));
}

/** The ids of the records that were merged into a record, ascending. */
export async function listMergedInto(
  executor: SqlExecutor,
  kind: MergedKind,
  id: number,
): Promise<string[]> {
  const rows = await executor.query<{ id: string }>(MERGED_INTO, [kind, id]);
  return rows.map((row) => row.id);
}

/** Stores that the record `id` was merged into `survivor`. */
export async function insertMerge(
  executor: SqlExecutor,
  kind: MergedKind,
  id: number,
  survivor: number,
): Promise<void> {
  await executor.query(MERGE, [kind, id, survivor]);
}
