import { Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionPool } from './connection-pool';
import { toDatabaseError } from './database-errors';
import { PROBE } from './pool-queue';
import { type SqlExecutor, type Statement } from './statement';
import { inTransaction, type TransactionOptions } from './transaction';

export { copyStatement, statement, type SqlExecutor, type Statement } from './statement';
export { nestHooks, type TransactionHooks } from './transaction';

/**
 * Runs hand-written statements on TypeORM's pool. They are named, so that they are prepared, and
 * bypass TypeORM's query executor, which takes 10 % of the time of a request.
 */
@Injectable()
export class Database implements SqlExecutor {
  /** Called with the name of each statement, for tests that count statements. */
  onStatement: ((name: string) => void) | undefined;
  private readonly connections: ConnectionPool;

  constructor(readonly source: DataSource) {
    this.connections = new ConnectionPool(source);
  }

  /** TypeORM's pool of `pg`. */
  get pool(): Pool {
    return this.connections.pool;
  }

  /** Maximum number of connections of the pool. */
  get maxConnections(): number {
    return this.pool.options.max;
  }

  /** Number of requests and other work that wait for a connection. */
  get waiting(): number {
    return this.connections.waiting;
  }

  /**
   * The rows of one statement.
   *
   * @throws ApiError 999 with 503 when the database is unavailable or busy (D5)
   */
  async query<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    this.onStatement?.(what.name);
    try {
      return await this.connections.query<T>(what, values);
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
    work: (executor: SqlExecutor) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const plan = { command: 'BEGIN', onStatement: this.onStatement, ...options };
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
    const plan = { command, onStatement: this.onStatement, once: true, unlimited: true };
    try {
      return await inTransaction(this.connections, work, plan);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}
