import { type DataSource } from 'typeorm';

/** Unlogged tables of changes, with the column of the transaction. */
const LOGS = [
  ['content_changes', 'xid'],
  ['book_search_changes', 'transaction_id'],
  ['subject_search_changes', 'transaction_id'],
  ['book_tags_changes', 'transaction_id'],
  ['subject_tags_changes', 'transaction_id'],
] as const;

// A change of this server that is visible has a transaction below it.
const NEXT = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

const isForeign = ([table, column]: (typeof LOGS)[number]): string =>
  `EXISTS (SELECT FROM ${table} WHERE ${column} >= ${NEXT})`;

const HAS_FOREIGN = `SELECT ${LOGS.map(isForeign).join(' OR ')} AS found`;

/**
 * Deletes the changes that a dump brought from another PostgreSQL server (`pg_dump` includes unlogged
 * tables). Their transaction numbers are higher than those of this server, so that each reading would
 * take them for new changes: totals of searches would be wrong, and responses would not be cached.
 */
export async function deleteForeignChanges(source: DataSource): Promise<void> {
  // A standby has no unlogged tables.
  const [server] = await source.query<{ writable: boolean }[]>(
    `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable`,
  );
  if (server?.writable !== true) return;
  const [foreign] = await source.query<{ found: boolean }[]>(HAS_FOREIGN);
  if (foreign?.found !== true) return;
  for (const [table, column] of LOGS) {
    await source.query(`DELETE FROM ${table} WHERE ${column} >= ${NEXT}`);
  }
}
