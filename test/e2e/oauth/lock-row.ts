import { Client } from 'pg';
import { until } from '../process/until';

/** Waits until several transactions of the database wait for locks. */
export async function untilWaiting(watcher: Client, waiters: number): Promise<void> {
  const waiting = async (): Promise<number> => {
    const { rows } = await watcher.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  };
  await until(async () => (await waiting()) >= waiters);
}

/**
 * Starts concurrent work that changes one row, and keeps the row locked until several transactions
 * wait for the lock. All of them have then read the row in its old state.
 *
 * @param row statement that locks the row
 * @param waiters number of transactions that must wait; less than the connections of a pool
 * @param meanwhile is done while they wait
 */
export async function withRowLocked<T>(
  url: string,
  row: string,
  values: unknown[],
  work: () => Promise<T>,
  waiters = 5,
  meanwhile?: () => Promise<unknown>,
): Promise<T> {
  const [holder, watcher] = [new Client(url), new Client(url)];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query('BEGIN');
    await holder.query(row, values);
    const done = work();
    await untilWaiting(watcher, waiters);
    await meanwhile?.();
    await holder.query('COMMIT');
    return await done;
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}
