import { statement, type SqlExecutor, type Statement } from './statement';

/** Rows that one statement removes at most: it must end long before statements time out. */
const BATCH = 5000;

/**
 * A statement that removes some of the rows which a condition names, at most `$1`. Rows that others
 * are just changing are left for the next time.
 *
 * @param name of the statement
 */
export const expiredRows = (name: string, table: string, condition: string): Statement =>
  statement(
    name,
    `WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${table} WHERE ${condition} LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1)
     SELECT count(*)::int AS n FROM gone`,
  );

/** Removes all such rows, batch by batch, until it is asked to end. @returns how many */
export async function removeExpired(
  executor: SqlExecutor,
  what: Statement,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (;;) {
    signal.throwIfAborted();
    const [row] = await executor.query<{ n: number }>(what, [BATCH]);
    removed += row?.n ?? 0;
    if ((row?.n ?? 0) < BATCH) return removed;
  }
}
