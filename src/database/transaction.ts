import { type QueryResult } from 'pg';
import { type ConnectionPool, type UsedClient } from './connection-pool';
import {
  CommitUnknown,
  isConnectionLost,
  isSilent,
  leavesConnectionUsable,
  metAnother,
} from './database-errors';
import { type SqlExecutor, type Statement } from './statement';
import { currentHooks } from './transaction-hooks';

/** How often a transaction is tried that meets others. */
const ATTEMPTS = 5;
/** How often one is tried whose connection is lost before it could be committed. */
const ATTEMPTS_AFTER_LOSS = 2;

export interface TransactionOptions {
  /**
   * Its statements may take as long as they need: work that moves much data, and sets PostgreSQL's
   * own limits for itself. A server that vanishes is noticed by TCP's keep-alive alone.
   */
  readonly unlimited?: boolean;
}

/** How one kind of transaction begins. */
interface Beginning extends TransactionOptions {
  readonly begin: string;
  /** Its work does more than run statements, so that it must not be tried again. */
  readonly once?: boolean;
  /** Called with each statement's name. */
  readonly onStatement?: ((name: string) => void) | undefined;
}

/** One transaction on one connection. */
class Attempt {
  private stage: 'begin' | 'work' | 'commit' = 'begin';

  constructor(
    private readonly pool: ConnectionPool,
    private readonly client: UsedClient,
    private readonly beginning: Beginning,
  ) {}

  /** Whether it failed with its connection, and can have had no effect. */
  lostBeforeCommit(error: unknown): boolean {
    if (this.stage === 'commit') return false;
    // The rest of a transaction that has waited in vain once would keep its caller too long.
    return isConnectionLost(error) || (this.stage === 'begin' && isSilent(error));
  }

  async run<T>(work: (executor: SqlExecutor) => Promise<T>): Promise<T> {
    try {
      await this.control(this.beginning.begin);
      this.stage = 'work';
      const executor: SqlExecutor = { query: (what, values) => this.statement(what, values) };
      const hooks = currentHooks();
      await hooks?.begin(executor);
      const result = await work(executor);
      await hooks?.end(executor);
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
      ({ command } = await this.control('COMMIT'));
    } catch (error) {
      throw isConnectionLost(error) || isSilent(error) ? new CommitUnknown(error) : error;
    }
    // PostgreSQL answers so, without an error, where a statement had failed and `work` went on.
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
  }

  /** Rolls back, and gives the connection up when that is not possible. */
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

  private async statement<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    this.beginning.onStatement?.(what.name);
    const { name, text } = what;
    const query_timeout = this.beginning.unlimited ? 0 : this.pool.limits.queryTimeoutMs;
    const query = { name, text, values: values as unknown[], query_timeout };
    return (await this.client.query<never>(query)).rows;
  }
}

/**
 * What belongs together, on one connection and all or nothing. It is tried again when it met another
 * transaction, and when its connection was lost before COMMIT was sent: PostgreSQL rolls back what
 * was not committed. What may have been committed is never tried again.
 *
 * @throws CommitUnknown; errors of `pg`; what `work` throws
 */
export async function inTransaction<T>(
  pool: ConnectionPool,
  work: (executor: SqlExecutor) => Promise<T>,
  beginning: Beginning,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    const attempt = new Attempt(pool, await pool.acquire(), beginning);
    try {
      return await attempt.run(work);
    } catch (error) {
      const again =
        (attempts < ATTEMPTS && metAnother(error)) ||
        (attempts < ATTEMPTS_AFTER_LOSS && attempt.lostBeforeCommit(error));
      if (!again || beginning.once) throw error;
    }
  }
}
