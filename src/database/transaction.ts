import { type QueryResult } from 'pg';
import { clientTimeoutOf, type ConnectionPool, type UsedClient } from './connection-pool';
import {
  CommitUnknown,
  isConnectionLost,
  isSilent,
  leavesConnectionUsable,
  isTransactionConflict,
} from './database-errors';
import { copyIn, type CopyRows } from './copy-in';
import { WritesStalled } from './stalled-commits';
import { statement, type SqlExecutor, type Statement } from './statement';

type Step = (executor: SqlExecutor) => Promise<void>;

/**
 * Statements at the begin and end of a transaction that its caller adds, such as an audit entry or
 * the mark of an idempotency key. They commit or roll back with the transaction, and run again when
 * it is retried.
 */
export interface TransactionHooks {
  /** Runs after BEGIN, before the work. */
  readonly begin?: Step | undefined;
  /** Runs after the work, before COMMIT. An error rolls the transaction back. */
  readonly end?: Step | undefined;
}

const both = (first: Step | undefined, second: Step | undefined): Step | undefined => {
  if (!first || !second) return first ?? second;
  return async (executor) => {
    await first(executor);
    await second(executor);
  };
};

/** Both hooks: `outer` begins first and ends last. */
export const nestHooks = (
  outer: TransactionHooks | undefined,
  inner: TransactionHooks,
): TransactionHooks => ({
  begin: both(outer?.begin, inner.begin),
  end: both(inner.end, outer?.end),
});

/** Maximum number of attempts after conflicts with other transactions. */
const ATTEMPTS = 5;
/** Maximum number of attempts when the connection is lost before COMMIT. */
const ATTEMPTS_AFTER_LOSS = 2;

export interface TransactionOptions extends TransactionHooks {
  /**
   * Maximum number of attempts after conflicts with other transactions, 5 by default. Work that nobody
   * waits for can have more.
   */
  readonly attempts?: number;
  /**
   * Whether its statements have no time limit in this process, for work that moves much data and
   * sets PostgreSQL's timeouts itself. Then only TCP keep-alive and `SilentConnections` detect a lost
   * server.
   */
  readonly unlimited?: boolean;
  /** Milliseconds for each of its statements, if that is more than `DATABASE_STATEMENT_TIMEOUT_MS`. */
  readonly statementTimeoutMs?: number;
}

const SET_STATEMENT_TIMEOUT = statement(
  'database.set_statement_timeout',
  `SELECT set_config('statement_timeout', $1, true)`,
);

/** How a transaction runs. */
interface TransactionPlan extends TransactionOptions {
  /** BEGIN and its modes. */
  readonly command: string;
  /** Whether it cannot write. */
  readonly readOnly?: boolean;
  /** Whether its work does more than run statements, so that it must not be retried. */
  readonly once?: boolean;
  /** Called with the name of each statement. */
  readonly onStatement?: ((name: string) => void) | undefined;
}

/** Whether it may write. Work without a time limit waits for a synchronous standby. */
const endsWhenStalled = ({ readOnly, unlimited }: TransactionPlan): boolean =>
  readOnly !== true && unlimited !== true;

/** @throws WritesStalled for a transaction that may write while writes are stalled */
function requireWritable({ commits }: ConnectionPool, plan: TransactionPlan): void {
  if (commits.isStalled && endsWhenStalled(plan)) throw new WritesStalled();
}

/** One transaction on one connection. */
class Attempt {
  private stage: 'begin' | 'work' | 'commit' = 'begin';

  constructor(
    private readonly pool: ConnectionPool,
    private readonly client: UsedClient,
    private readonly plan: TransactionPlan,
  ) {}

  /** Whether its connection was lost before COMMIT, so that it had no effect. */
  lostBeforeCommit(error: unknown): boolean {
    if (this.stage === 'commit') return false;
    // After a timeout in a later stage, a retry would take too long.
    return isConnectionLost(error) || (this.stage === 'begin' && isSilent(error));
  }

  async run<T>(work: (executor: SqlExecutor) => Promise<T>): Promise<T> {
    try {
      await this.control(this.plan.command);
      this.stage = 'work';
      const executor: SqlExecutor = { query: (what, values) => this.statement(what, values) };
      const { statementTimeoutMs: timeout } = this.plan;
      if (timeout !== undefined && this.queryTimeoutMs > this.pool.limits.queryTimeoutMs)
        await executor.query(SET_STATEMENT_TIMEOUT, [String(timeout)]);
      await this.plan.begin?.(executor);
      const result = await work(executor);
      await this.plan.end?.(executor);
      requireWritable(this.pool, this.plan);
      this.stage = 'commit';
      await this.commit();
      this.pool.release(this.client);
      return result;
    } catch (error) {
      await this.undo(error instanceof CommitUnknown ? error.cause : error);
      throw error;
    }
  }

  private async commit(): Promise<void> {
    let command: string;
    try {
      ({ command } = await this.pool.commits.watch(this.control('COMMIT')));
    } catch (error) {
      throw isConnectionLost(error) || isSilent(error) ? new CommitUnknown(error) : error;
    }
    // PostgreSQL responds ROLLBACK without an error if a statement failed and `work` continued.
    if (command !== 'COMMIT') throw new Error(`PostgreSQL responded to COMMIT with ${command}`);
  }

  /** Rolls back, and closes the connection when that fails. */
  private async undo(error: unknown): Promise<void> {
    let last = error;
    if (leavesConnectionUsable(error)) {
      await this.control('ROLLBACK').catch((cause: unknown) => {
        last = cause;
      });
    }
    this.pool.release(this.client, last);
  }

  private control(text: string): Promise<QueryResult> {
    const { beginTimeoutMs, queryTimeoutMs } = this.pool.limits;
    const query_timeout = text === 'COMMIT' ? queryTimeoutMs : beginTimeoutMs;
    return this.client.query({ text, query_timeout } as { text: string });
  }

  /** Milliseconds after which a statement without a response is abandoned; 0 means no limit. */
  private get queryTimeoutMs(): number {
    const { queryTimeoutMs } = this.pool.limits;
    const { unlimited, statementTimeoutMs = 0 } = this.plan;
    if (unlimited === true || queryTimeoutMs === 0) return 0;
    return Math.max(queryTimeoutMs, clientTimeoutOf(statementTimeoutMs));
  }

  private async statement<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    this.plan.onStatement?.(what.name);
    const { name, text } = what;
    const query_timeout = this.queryTimeoutMs;
    if (what.copiesIn === true) {
      await copyIn(this.client, text, values[0] as CopyRows, query_timeout);
      return [];
    }
    const query = { name, text, values: values as unknown[], query_timeout };
    return (await this.client.query<never>(query)).rows;
  }
}

/**
 * Runs a transaction on one connection. It is retried after a conflict with another transaction,
 * and when its connection is lost before COMMIT, because PostgreSQL then rolls back. A transaction
 * that may have been committed is never retried.
 *
 * @throws CommitUnknown; WritesStalled; errors of `pg` and of `work`
 */
export async function inTransaction<T>(
  pool: ConnectionPool,
  work: (executor: SqlExecutor) => Promise<T>,
  plan: TransactionPlan,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    requireWritable(pool, plan);
    const client = await pool.acquire();
    client.isWriting = endsWhenStalled(plan);
    const attempt = new Attempt(pool, client, plan);
    try {
      return await attempt.run(work);
    } catch (error) {
      const again =
        (attempts < (plan.attempts ?? ATTEMPTS) && isTransactionConflict(error)) ||
        (attempts < ATTEMPTS_AFTER_LOSS && attempt.lostBeforeCommit(error));
      if (!again || plan.once) throw error;
    }
  }
}
