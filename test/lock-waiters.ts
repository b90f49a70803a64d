import { type Client } from 'pg';

/**
 * Number of statements of a client's database that wait for a lock.
 *
 * @param text part of the statements to count; all are counted by default
 */
export async function lockWaiters(client: Client, text = ''): Promise<number> {
  // In a transaction, the view shows only sessions that were there when it was first read.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
    [text],
  );
  return rows[0]?.n ?? 0;
}
