import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type Pool, type QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { metAnother, toDatabaseError } from './database-errors';

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

/** How often a transaction is tried that meets others. */
const ATTEMPTS = 5;

/** Anything that runs statements: the pool, or one connection inside a transaction. */
export interface Runner {
  run<T>(what: Statement, values?: readonly unknown[]): Promise<T[]>;
}

type Step = (runner: Runner) => Promise<void>;

/** What every transaction begins and ends with. */
interface Around {
  readonly begin: Step;
  readonly end: Step;
}
const surroundings = new AsyncLocalStorage<Around>();

const nothing: Step = () => Promise.resolve();

/** Lets every transaction of `work` end with some statements more, committed together with it. */
export const endingWith = <T>(end: Step, work: () => Promise<T>): Promise<T> =>
  surroundedBy({ begin: nothing, end }, work);

/** Lets every transaction of `work` begin and end with some statements more. */
export const surroundedBy = <T>({ begin, end }: Around, work: () => Promise<T>): Promise<T> => {
  const outer = surroundings.getStore();
  const all: Around = {
    begin: async (runner) => {
      await outer?.begin(runner);
      await begin(runner);
    },
    end: async (runner) => {
      await end(runner);
      await outer?.end(runner);
    },
  };
  return surroundings.run(all, work);
};

/**
 * Work that goes on by itself: whatever surrounds the transactions of who began it does not surround
 * its own.
 */
export const apart = <T>(work: () => T): T => surroundings.exit(work);

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
   * What belongs together, on one connection and all or nothing. It is done again when it met
   * another transaction (a deadlock, say), so `work` must not do anything but run statements.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5); what `work` throws
   */
  async transaction<T>(work: (runner: Runner) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt >= ATTEMPTS || !metAnother(error)) throw toDatabaseError(error);
      }
    }
  }

  /**
   * Reads as of one moment, whatever others write meanwhile; on one connection, tried once.
   *
   * @throws ApiError 999 with 503 when the database is away or busy (D5); what `work` throws
   */
  async snapshot<T>(work: (runner: Runner) => Promise<T>): Promise<T> {
    try {
      return await this.attempt(work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  private async attempt<T>(work: (runner: Runner) => Promise<T>, begin = 'BEGIN'): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const runner: Runner = {
        run: async <R>(what: Statement, values: readonly unknown[] = []): Promise<R[]> => {
          this.onStatement?.(what.name);
          const answer: QueryResult<never> = await client.query({
            name: what.name,
            text: what.text,
            values: values as unknown[],
          });
          return answer.rows;
        },
      };
      const around = surroundings.getStore();
      await around?.begin(runner);
      const result = await work(runner);
      await around?.end(runner);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
