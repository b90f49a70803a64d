import { type Client } from 'pg';

/** Number of statements of a client's database that wait for a lock. */
export async function lockWaiters(client: Client): Promise<number> {
  // In a transaction, the view shows only sessions that were there when it was first read.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}
