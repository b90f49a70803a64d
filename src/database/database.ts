import { Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionPool } from './connection-pool';
import { toDatabaseError } from './database-errors';
import { PROBE } from './pool-queue';
import { type SqlExecutor, type Statement } from './statement';
import { inTransaction, type TransactionOptions } from './transaction';

export { statement, type SqlExecutor as Runner, type Statement } from './statement';
export {
  detached as apart,
  withCommitHook as endingWith,
  withTransactionHooks as surroundedBy,
} from './transaction-hooks';

/**
 * Hand-written statements on TypeORM's own pool: named, so prepared, and without the query executor
 * that costs a tenth of a request.
 */
@Injectable()
export class Database implements SqlExecutor {
  /** Called with each statement's name; tests count with it. */
  onStatement: ((name: string) => void) | undefined;
  private readonly connections: ConnectionPool;

  constructor(readonly source: DataSource) {
    this.connections = new ConnectionPool(source);
  }

  /** TypeORM's own pool of `pg`. */
  get pool(): Pool {
    return this.connections.pool;
  }

  /** Requests and other work that wait for a connection. */
  get waiting(): number {
    return this.connections.waiting;
  }

  /**
   * Rows of one statement.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5)
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
   * The same for a probe: it goes before everything that waits, and is not refused.
   *
   * @throws ApiError 999 with 503 when the database is away (D5)
   */
  async probe<T>(what: Statement): Promise<T[]> {
    try {
      return await this.connections.query<T>(what, [], PROBE);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /** Replaces every connection, as the server behind its address may be another one by now. */
  renewConnections(): void {
    this.connections.renew();
  }

  /**
   * What belongs together, on one connection and all or nothing. It is done again when it met
   * another transaction (a deadlock, say), and when its connection was lost before it was committed,
   * so `work` must not do anything but run statements.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5), also when the connection
   *   was lost during COMMIT, so that nobody knows whether it was done; what `work` throws
   */
  async transaction<T>(
    work: (executor: SqlExecutor) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const beginning = { begin: 'BEGIN', onStatement: this.onStatement, ...options };
    try {
      return await inTransaction(this.connections, work, beginning);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /**
   * Reads as of one moment, whatever others write meanwhile; on one connection, tried once, for as
   * long as it takes.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5); what `work` throws
   */
  async snapshot<T>(work: (executor: SqlExecutor) => Promise<T>): Promise<T> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    const beginning = { begin, onStatement: this.onStatement, once: true, unlimited: true };
    try {
      return await inTransaction(this.connections, work, beginning);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}
