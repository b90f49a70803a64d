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
