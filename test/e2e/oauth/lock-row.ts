import { Client } from 'pg';
import { lockWaiters } from '../../lock-waiters';
import { until } from '../process/until';

/** Waits until several transactions of the database wait for locks. */
export async function untilWaiting(watcher: Client, waiters: number): Promise<void> {
  await until(async () => (await lockWaiters(watcher)) >= waiters);
}

/**
 * Keeps a lock while work starts. @param start returns when the lock can be released
 * @returns what the started work returns
 */
export async function whileLocked<T>(
  url: string,
  lock: string,
  values: unknown[],
  start: (watcher: Client) => Promise<readonly Promise<T>[]>,
): Promise<T[]> {
  const [holder, watcher] = [new Client(url), new Client(url)];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query('BEGIN');
    await holder.query(lock, values);
    const started = await start(watcher);
    await holder.query('COMMIT');
    return await Promise.all(started);
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
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
  const [done] = await whileLocked(url, row, values, async (watcher) => {
    const started = work();
    await untilWaiting(watcher, waiters);
    await meanwhile?.();
    return [started];
  });
  return done as T;
}

/**
 * Starts requests one after the other while a lock stops them: each when all earlier ones wait.
 * Releases the lock when all of them wait.
 *
 * @param lock statement that takes the lock
 * @returns their responses in this order
 */
export function queuedBehind<T>(
  url: string,
  lock: string,
  values: unknown[],
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  return whileLocked(url, lock, values, async (watcher) => {
    const started: Promise<T>[] = [];
    for (const request of requests) {
      started.push(request());
      await untilWaiting(watcher, started.length);
    }
    return started;
  });
}
