import { type DataSource } from 'typeorm';

/** Waits until a transaction waits for another one. */
export async function untilBlocked(source: DataSource): Promise<void> {
  for (;;) {
    const [row] = await source.query<{ blocked: boolean }[]>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND cardinality(pg_blocking_pids(pid)) > 0) AS blocked`,
    );
    if (row?.blocked === true) return;
  }
}
