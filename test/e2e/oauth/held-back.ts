import { setImmediate as turn } from 'node:timers/promises';
import { Client } from 'pg';

/** How many must be in each other's way: fewer than a pool has connections. */
const WAITING = 5;

/**
 * Does things at once that all change the same row: it is held back until several of them have
 * read it, unused as it is, and want to change it.
 *
 * @param row statement that locks the row
 */
export async function heldBack<T>(
  url: string,
  row: string,
  values: unknown[],
  work: () => Promise<T>,
): Promise<T> {
  const [holder, watcher] = [new Client(url), new Client(url)];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query('BEGIN');
    await holder.query(row, values);
    const done = work();
    const waiting = async (): Promise<number> => {
      const { rows } = await watcher.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.n ?? 0;
    };
    while ((await waiting()) < WAITING) await turn();
    await holder.query('COMMIT');
    return await done;
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}
