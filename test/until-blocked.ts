import { type DataSource } from 'typeorm';

/** Waits until some transactions wait for others. */
export async function untilBlocked(source: DataSource, count = 1): Promise<void> {
  for (;;) {
    const [row] = await source.query<{ blocked: number }[]>(
      `SELECT count(*)::int AS blocked FROM pg_stat_activity WHERE datname = current_database()
         AND cardinality(pg_blocking_pids(pid)) > 0`,
    );
    if (Number(row?.blocked) >= count) return;
  }
}

/**
 * Starts work while a transaction holds its locks, and commits when the work waits for them, or ends
 * without waiting.
 *
 * @param statements of the transaction
 * @returns the result of the work
 */
export async function besideTransaction<T>(
  source: DataSource,
  statements: readonly (readonly [sql: string, values?: readonly unknown[]])[],
  work: () => Promise<T>,
): Promise<T> {
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  for (const [sql, values = []] of statements) await runner.query(sql, [...values]);
  const working = work();
  await Promise.race([untilBlocked(source), working]);
  await runner.commitTransaction();
  await runner.release();
  return working;
}
