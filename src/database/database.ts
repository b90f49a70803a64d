import { Injectable } from '@nestjs/common';
import { type Pool, type PoolClient, type QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { toDatabaseError } from './database-errors';

/** A statement with a name, so that each connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Declares a named statement; white space at line starts is only for the reader. */
export const statement = (name: string, text: string): Statement => ({
  name,
  text: text.replace(/\s*\n\s*/g, ' ').trim(),
});

/** Anything that runs statements: the pool, or one connection inside a transaction. */
export interface Runner {
  run<T>(what: Statement, values?: readonly unknown[]): Promise<T[]>;
}

/**
 * Hand-written statements on TypeORM's own pool: named, so prepared, and without the query runner
 * that costs a tenth of a request.
 */
@Injectable()
export class Database implements Runner {
  /** Called with each statement's name; tests count with it. */
  onStatement: ((name: string) => void) | undefined;

  constructor(readonly source: DataSource) {}

  /** TypeORM's own pool of `pg`. */
  get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  /**
   * Rows of one statement.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5)
   */
  async run<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    this.onStatement?.(what.name);
    try {
      const result = await this.pool.query<never>({
        name: what.name,
        text: what.text,
        values: values as unknown[],
      });
      return result.rows;
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /**
   * What belongs together, on one connection and all or nothing.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5); what `work` throws
   */
  async transaction<T>(work: (runner: Runner) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw toDatabaseError(error);
    }
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({
        run: async <R>(what: Statement, values: readonly unknown[] = []): Promise<R[]> => {
          this.onStatement?.(what.name);
          const answer: QueryResult<never> = await client.query({
            name: what.name,
            text: what.text,
            values: values as unknown[],
          });
          return answer.rows;
        },
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause;
      });
      throw toDatabaseError(error);
    } finally {
      client.release(broken);
    }
  }
}
