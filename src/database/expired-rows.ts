import { Injectable } from '@nestjs/common';
import { Database } from './database';
import { ScheduledTask } from './scheduled-task';
import { statement, type SqlExecutor, type Statement } from './statement';

/** Maximum number of rows that one statement deletes: it must end well before the timeout. */
const BATCH = 5000;

/**
 * A statement that deletes at most `$1` rows that match a condition. It skips rows that other
 * transactions have locked.
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

/** Deletes all matching rows in batches, until the signal is aborted. @returns the number */
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

/** Hourly deletion of the expired rows of a table. */
@Injectable()
export abstract class ExpiredRowsTask extends ScheduledTask {
  protected abstract readonly expired: Statement;

  constructor(private readonly database: Database) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await removeExpired(this.database, this.expired, signal);
  }
}
