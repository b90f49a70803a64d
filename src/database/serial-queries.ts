import { type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { type PoolClient } from './pool-client';

/** There was no response in time. */
export class NoResponse extends Error {
  constructor(timeoutMs: number) {
    super(`no response of the database within ${timeoutMs} ms`);
  }
}

/**
 * Runs the statements of several users on one connection, one after the other: `pg` will not queue
 * them. After a timeout the next statement waits for the late response. `query_timeout` of `pg` does
 * not, and would send the next statement while the server executes the first one.
 */
export class SerialQueries {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: PoolClient) {}

  /**
   * The result of a statement.
   *
   * @param timeoutMs includes the wait for earlier statements
   * @throws NoResponse when there is none in time; errors of `pg`
   */
  async run<T extends QueryResultRow>(
    query: QueryConfig,
    timeoutMs: number,
  ): Promise<QueryResult<T>> {
    let isLate = false;
    const previous = this.last;
    const response = (async (): Promise<QueryResult<T>> => {
      await previous;
      // Nobody waits for it any more.
      if (isLate) throw new Error('the connection was in use');
      return this.client.query<T>(query);
    })();
    this.last = response.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(new NoResponse(timeoutMs));
      }, timeoutMs);
    });
    try {
      return await Promise.race([response, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
