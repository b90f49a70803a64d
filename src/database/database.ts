import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { type ClientPresence } from '../api/http/client-presence';
import { currentRequest } from '../api/http/current-request';
import { type RequestContext } from '../api/http/request-context';
import { isSafe } from '../api/http/safe-methods';
import { type ClosableWork } from './closable-work';
import { ConnectionPool } from './connection-pool';
import { poolOf } from './limited-pool';
import { replicasOf } from './data-source';
import { isConnectionLost, isReadOnly, toDatabaseError } from './database-errors';
import { type PoolClient } from './pool-client';
import { PROBE } from './pool-queue';
import { canRunOnReplica, isRepeatable, markPrimaryOnly } from './replicas/replicable';
import { canRetryOnPrimary, type Replica } from './replicas/replica';
import { type StatementUse } from './pool-shares';
import { type ReplicaSet } from './replicas/replica-set';
import { type SqlExecutor, type Statement, type TransactionExecutor } from './statement';
import { inTransaction } from './transaction';
import { type TransactionOptions } from './transaction-attempt';
import { type WriteObserver } from './write-observer';

export {
  copyStatement,
  finishWith,
  statement,
  type BoundStatement,
  type SqlExecutor,
  type Statement,
  type TransactionExecutor,
} from './statement';
export { type TransactionOptions } from './transaction-attempt';
export { nestHooks, type TransactionHooks } from './transaction-hooks';

/** Milliseconds that a read waits for a primary during a failover, and between two attempts. */
const FAILOVER_MS = 5000;
const FAILOVER_PAUSE_MS = 50;

/**
 * Runs hand-written statements on TypeORM's pool. They are named, so that they are prepared, and
 * bypass TypeORM's query executor, which takes 10 % of the time of a request.
 */
@Injectable()
export class Database implements SqlExecutor {
  /** Called with the name of each statement, for tests that count statements. */
  onStatement: ((name: string) => void) | undefined;
  /** Set where responses are in memory. */
  observer: WriteObserver | undefined;
  private readonly connections: ConnectionPool;
  /** Replicas, or several servers that may be the primary, if configured. */
  readonly replicas: ReplicaSet | undefined;

  constructor(readonly source: DataSource) {
    this.connections = new ConnectionPool(poolOf(source));
    this.replicas = replicasOf(source);
  }

  /** TypeORM's pool of `pg`. */
  get pool(): Pool {
    return this.connections.pool;
  }

  /** Maximum number of connections of the pool. */
  get maxConnections(): number {
    return this.pool.options.max;
  }

  /**
   * Checks whether earlier writes wait for a synchronous standby, so that the first write of this
   * process is rejected. It never fails.
   */
  checkStandby(): Promise<void> {
    return this.connections.commits.checkAtStart();
  }

  /** Number of requests and other work that wait for a connection. */
  get waiting(): number {
    return this.connections.waiting;
  }

  /**
   * The rows of one statement. Reads of GET requests run on a replica that has all data that the
   * caller may have seen or written.
   *
   * @param use why it has a smaller share of the connections than others of the route
   * @throws ApiError 999 with 503 when the database is unavailable or busy (D5)
   */
  async query<T>(
    what: Statement,
    values: readonly unknown[] = [],
    use?: StatementUse,
  ): Promise<T[]> {
    this.onStatement?.(what.name);
    try {
      return await this.run(what, values, use);
    } finally {
      if (this.observer && !isRepeatable(what)) this.observer.wrote();
    }
  }

  private async run<T>(
    what: Statement,
    values: readonly unknown[],
    use: StatementUse | undefined,
  ): Promise<T[]> {
    const deadline = performance.now() + FAILOVER_MS;
    for (;;) {
      try {
        const read =
          this.replicas && (await this.readFromReplica<T>(this.replicas, what, values, use));
        if (read) return read;
        return await this.connections.query<T>(what, values, this.connections.requester(use));
      } catch (error) {
        if (performance.now() > deadline || !this.canWaitForPrimary(what, error)) {
          throw toDatabaseError(error);
        }
      }
      await pause(FAILOVER_PAUSE_MS);
    }
  }

  /** Whether a read of a request failed because no server serves it during a failover (D155). */
  private canWaitForPrimary(what: Statement, error: unknown): boolean {
    if (this.replicas?.canFailOver !== true || !currentRequest() || !isRepeatable(what))
      return false;
    return isConnectionLost(error) || isReadOnly(error);
  }

  /**
   * Sends a read to a replica if one may serve it.
   *
   * @returns undefined for a statement that the primary has to run, or run again
   */
  private async readFromReplica<T>(
    replicas: ReplicaSet,
    what: Statement,
    values: readonly unknown[],
    use: StatementUse | undefined,
  ): Promise<T[] | undefined> {
    const request = currentRequest();
    if (!request) return undefined;
    const replica = findReplica(replicas, what, request);
    try {
      const rows = await replica?.query<T>(what, values, use);
      replicas.reads[rows ? 'replica' : 'primary'] += 1;
      return rows;
    } catch (error) {
      if (!canRetryOnPrimary(error)) throw error;
      if (isReadOnly(error)) markPrimaryOnly(what);
      replicas.reads.primary += 1;
      return undefined;
    }
  }

  /**
   * The rows of one statement on the primary, which serves several requests of the route of the
   * current one.
   *
   * @param presence of all their clients: the statement is cancelled when they have left
   * @throws ApiError 999 with 503 when the database is unavailable or busy (D5)
   */
  async queryForMany<T>(
    what: Statement,
    values: readonly unknown[],
    presence: ClientPresence,
  ): Promise<T[]> {
    this.onStatement?.(what.name);
    try {
      return await this.connections.query<T>(what, values, this.connections.ofRoute(presence));
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /**
   * The same for a probe, which has priority over waiting requests and is not rejected.
   *
   * @throws ApiError 999 with 503 when the database is unavailable (D5)
   */
  async probe<T>(what: Statement): Promise<T[]> {
    try {
      return await this.connections.query<T>(what, [], PROBE);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /** Replaces every connection, because the address may lead to another server now. */
  renewConnections(): void {
    this.connections.renew();
  }

  /** Replaces every connection after another server became the primary. */
  reconnectToNewPrimary(): void {
    this.connections.reconnectToNewPrimary();
  }

  /** Connections in use by work that is not part of a request, such as jobs and commands. */
  get backgroundConnections(): readonly PoolClient[] {
    return this.connections.background;
  }

  /** Connections in use by requests for long, such as changes of records by administrators. */
  get longRequestConnections(): readonly PoolClient[] {
    return this.connections.ofLongRequests;
  }

  /** Closes the connections that work uses. Its statements fail. */
  closeConnectionsOf({ requester }: ClosableWork): void {
    for (const client of this.backgroundConnections)
      if (client.requester === requester) client.destroy();
  }

  /**
   * Runs `work` in a transaction on one connection. It is retried after a conflict with another
   * transaction (such as a deadlock), and when the connection is lost before COMMIT. Therefore
   * `work` must only run statements.
   *
   * @param options its hooks run in each attempt
   * @throws ApiError 999 with 503 when the database is unavailable or busy (D5), or the connection
   * is lost during COMMIT and the outcome is unknown; errors of `work`
   */
  async transaction<T>(
    work: (executor: TransactionExecutor) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const { onStatement, observer } = this;
    const plan = { command: 'BEGIN', onStatement, observer, ...options };
    try {
      return await inTransaction(this.connections, work, plan);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /**
   * Reads one consistent snapshot on one connection, without retries and without a time limit.
   *
   * @throws ApiError 999 with 503 when the database is unavailable or busy (D5); errors of `work`
   */
  async snapshot<T>(work: (executor: SqlExecutor) => Promise<T>): Promise<T> {
    const command = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    const { onStatement } = this;
    const plan = { command, onStatement, readOnly: true, once: true, unlimited: true };
    try {
      return await inTransaction(this.connections, work, plan);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

/** The replica that runs a statement of a request; undefined for the primary. */
function findReplica(
  replicas: ReplicaSet,
  what: Statement,
  request: RequestContext,
): Replica | undefined {
  if (!canRunOnReplica(what)) return undefined;
  if (what.prefersPrimary !== true) return replicas.replicaFor(request);
  // Writes need the primary in any case.
  if (!isSafe(request.method)) return undefined;
  const { fallbackReplica } = replicas;
  if (fallbackReplica) request.callerIsFromReplica = true;
  return fallbackReplica;
}
