import { types } from 'node:util';
import { type QueryResult } from 'pg';
import { type ConnectionPool, type UsedClient } from './connection-pool';
import { clientTimeoutOf } from './limited-pool';
import { copyIn, type CopyRows } from './copy-in';
import {
  CommitUnknown,
  hasNoResponse,
  isConnectionLost,
  isSilent,
  leavesConnectionUsable,
} from './database-errors';
import { type LimitedQuery } from './pool-client';
import { onlyReadsOrLocks } from './replicas/replicable';
import { WritesStalled } from './stalled-commits';
import {
  statement,
  type BoundStatement,
  type BoundStatements,
  type RowsOf,
  type Statement,
  type TransactionExecutor,
} from './statement';

import { type TransactionHooks } from './transaction-hooks';
import { OWN_CHANGES, type TransactionChanges, type WriteObserver } from './write-observer';

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

/** How each attempt of a transaction runs. */
export interface AttemptPlan extends Omit<TransactionOptions, 'attempts'> {
  /** BEGIN and its modes. */
  readonly command: string;
  /** Whether it cannot write. */
  readonly readOnly?: boolean;
  readonly observer?: WriteObserver | undefined;
  /** Called with the name of each statement. */
  readonly onStatement?: ((name: string) => void) | undefined;
}

const SET_STATEMENT_TIMEOUT = statement(
  'database.set_statement_timeout',
  `SELECT set_config('statement_timeout', $1, true)`,
);

/** Whether it may write. Work without a time limit waits for a synchronous standby. */
export const endsWhenStalled = ({ readOnly, unlimited }: AttemptPlan): boolean =>
  readOnly !== true && unlimited !== true;

/** @throws WritesStalled for a transaction that may write while writes are stalled */
export function requireWritable({ commits }: ConnectionPool, plan: AttemptPlan): void {
  if (commits.isStalled && endsWhenStalled(plan)) throw new WritesStalled();
}

const isRejected = (result: PromiseSettledResult<unknown>): result is PromiseRejectedResult =>
  result.status === 'rejected';

/** The values of results. @throws Error of the first one that failed */
const valuesOf = <T>(results: readonly PromiseSettledResult<T>[]): T[] =>
  results.map((result) => {
    if (isRejected(result)) throw result.reason;
    return result.value;
  });

const rowsOf = <R extends readonly unknown[]>(results: readonly QueryResult[]): RowsOf<R> =>
  results.map(({ rows }) => rows as unknown) as unknown as RowsOf<R>;

/**
 * Whether PostgreSQL itself reported an error of a statement. A pooler reports that it has lost
 * PostgreSQL as an error of the first statement without a response, but names no source file.
 */
const isReported = (error: unknown): boolean =>
  types.isNativeError(error) && 'file' in error && error.file !== undefined;

/** What `pg` sends for a statement: its name, text and values, with a time limit. */
type StatementQuery = LimitedQuery & Pick<Statement, 'name'>;

/** One attempt of a transaction, on one connection. */
export class Attempt implements TransactionExecutor {
  /**
   * How far the transaction is: BEGIN was sent, PostgreSQL has begun it, COMMIT was sent, or
   * PostgreSQL has ended it.
   */
  private stage: 'nothing' | 'begin' | 'work' | 'commit' | 'ended' = 'nothing';
  /** Why it is not committed although it has ended. */
  private failure: Error | undefined;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly client: UsedClient,
    private readonly plan: AttemptPlan,
  ) {}

  /** Whether its connection was lost before COMMIT, so that it had no effect. */
  lostBeforeCommit(error: unknown): boolean {
    if (this.stage === 'commit') return false;
    // After a timeout in a later stage, a retry would take too long.
    return isConnectionLost(error) || (this.stage === 'begin' && isSilent(error));
  }

  async run<T>(work: (executor: TransactionExecutor) => Promise<T>): Promise<T> {
    try {
      const { statementTimeoutMs: timeout } = this.plan;
      if (timeout !== undefined && this.queryTimeoutMs > this.pool.limits.queryTimeoutMs)
        await this.query(SET_STATEMENT_TIMEOUT, [String(timeout)]);
      await this.plan.begin?.(this);
      const result = await work(this);
      // `work` may have caught it.
      if (this.failure) throw this.failure;
      if (this.stage !== 'ended') {
        await this.plan.end?.(this);
        if (this.stage !== 'nothing') await this.commit([]);
      }
      this.pool.release(this.client);
      return result;
    } catch (error) {
      await this.undo(error instanceof CommitUnknown ? error.cause : error);
      throw error;
    }
  }

  async query<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    if (what.copiesIn !== true) {
      const [result] = await this.send([this.queryOf(what, values)]);
      return result?.rows as T[];
    }
    await this.send([]);
    this.plan.onStatement?.(what.name);
    await copyIn(this.client, what.text, values[0] as CopyRows, this.queryTimeoutMs);
    return [];
  }

  async queryAll<R extends readonly unknown[]>(
    ...statements: BoundStatements<R>
  ): Promise<RowsOf<R>> {
    return rowsOf(await this.send(this.queriesOf(statements)));
  }

  async finish<R extends readonly unknown[]>(...last: BoundStatements<R>): Promise<RowsOf<R>> {
    // Hooks at the end follow.
    if (this.plan.end) return this.queryAll<R>(...last);
    return rowsOf(await this.commit(this.queriesOf(last)));
  }

  /** Sends the last statements with COMMIT. @returns the results of the statements */
  private async commit(last: readonly StatementQuery[]): Promise<readonly QueryResult[]> {
    // BEGIN is not sent with COMMIT: a connection that was lost while it was idle is noticed.
    await this.send([]);
    requireWritable(this.pool, this.plan);
    this.stage = 'commit';
    const { observer, readOnly } = this.plan;
    const query_timeout = this.pool.limits.queryTimeoutMs;
    const readsChanges = observer?.wantsChanges === true && readOnly !== true;
    const results = await this.sendCommit([
      ...last,
      ...(readsChanges ? [{ ...OWN_CHANGES, query_timeout }] : []),
      { text: 'COMMIT', query_timeout },
    ]);
    if (readsChanges) observer.committed(results[last.length]?.rows[0] as TransactionChanges);
    else if (readOnly !== true) observer?.wrote();
    return results.slice(0, last.length);
  }

  /** Sends statements, the last of which is COMMIT. */
  private async sendCommit(queries: readonly LimitedQuery[]): Promise<readonly QueryResult[]> {
    const results = await this.pool.commits.watch(this.client.sendPipelined(queries));
    const failed = results.find(isRejected);
    const commit = results[queries.length - 1];
    if (failed) throw this.failureOfCommit(failed, commit);
    this.stage = 'ended';
    const values = valuesOf(results);
    const command = values.at(-1)?.command;
    // PostgreSQL responds ROLLBACK without an error if a statement failed and `work` continued.
    if (command !== 'COMMIT')
      throw new Error(`PostgreSQL responded to COMMIT with ${String(command)}`);
    return values;
  }

  /** @param commit undefined if the client has not sent it */
  private failureOfCommit(
    failed: PromiseRejectedResult,
    commit: PromiseSettledResult<unknown> | undefined,
  ): unknown {
    const error = failed.reason as Error;
    if (!commit) {
      this.stage = 'work';
    } else if (commit.status === 'fulfilled' || (failed !== commit && isReported(error))) {
      // The response to COMMIT is ROLLBACK after an error of a statement before it.
      this.stage = 'ended';
      this.failure = error;
    } else if (hasNoResponse(error)) {
      this.plan.observer?.wrote();
      return new CommitUnknown(error);
    }
    return error;
  }

  /**
   * Results of statements that are sent together, the first ones of a transaction with BEGIN.
   *
   * @throws Error of the first one that failed
   */
  private async send(queries: readonly StatementQuery[]): Promise<readonly QueryResult[]> {
    if (this.stage === 'nothing') return this.begin(queries);
    if (this.stage !== 'work') throw new Error('the transaction has not begun, or has ended');
    const [first] = queries;
    if (!first) return [];
    if (queries.length === 1) return [await this.client.query(first)];
    return valuesOf(await this.client.sendPipelined(queries));
  }

  /**
   * Sends BEGIN, with the first statement if that only reads or locks. If BEGIN fails, PostgreSQL
   * runs the statement without a transaction, and commits it.
   */
  private async begin(queries: readonly StatementQuery[]): Promise<readonly QueryResult[]> {
    this.stage = 'begin';
    const [first] = queries;
    const beside = first && onlyReadsOrLocks(first) ? [first] : [];
    const begin = { text: this.plan.command, query_timeout: this.pool.limits.beginTimeoutMs };
    const results = await this.client.sendPipelined([begin, ...beside]);
    if (results[0]?.status === 'fulfilled') this.stage = 'work';
    return [...valuesOf(results).slice(1), ...(await this.send(queries.slice(beside.length)))];
  }

  /** Rolls back, and closes the connection when that fails. */
  private async undo(error: unknown): Promise<void> {
    const isOpen = this.stage !== 'nothing' && this.stage !== 'ended';
    if (!isOpen || !leavesConnectionUsable(error)) {
      this.pool.release(this.client, error);
      return;
    }
    const query_timeout = this.pool.limits.beginTimeoutMs;
    const rollback: LimitedQuery = { text: 'ROLLBACK', query_timeout };
    try {
      await this.client.query(rollback);
      this.pool.release(this.client);
    } catch (cause) {
      // The transaction is still open, also if the connection is usable otherwise.
      this.pool.discard(this.client, cause);
    }
  }

  /** Milliseconds after which a statement without a response is abandoned; 0 means no limit. */
  private get queryTimeoutMs(): number {
    const { queryTimeoutMs } = this.pool.limits;
    const { unlimited, statementTimeoutMs = 0 } = this.plan;
    if (unlimited === true || queryTimeoutMs === 0) return 0;
    return Math.max(queryTimeoutMs, clientTimeoutOf(statementTimeoutMs));
  }

  private queriesOf(statements: readonly BoundStatement[]): readonly StatementQuery[] {
    return statements.map(([what, values = []]) => this.queryOf(what, values));
  }

  private queryOf({ name, text }: Statement, values: readonly unknown[]): StatementQuery {
    this.plan.onStatement?.(name);
    return { name, text, values: values as unknown[], query_timeout: this.queryTimeoutMs };
  }
}
