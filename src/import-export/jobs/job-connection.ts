import { type Client } from 'pg';
import { type Database, type SqlExecutor, type Statement } from '../../database/database';
import { makeOwnConnection } from '../../database/own-connection';

/** An arbitrary lock number that no other lock uses: "jobs" in ASCII. */
const JOBS_LOCK = 0x6a6f6273;

/** Statement timeout in milliseconds: job statements never wait for other transactions. */
const QUERY_MS = 60_000;

/**
 * The lock that lets one process per database run jobs, and the connection that owns it. PostgreSQL
 * releases the lock when the process ends for any reason. Progress updates use this connection as
 * well, so that a job needs no additional connection of the pool.
 */
export class JobConnection implements SqlExecutor {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly client: Client) {}

  /** @returns undefined while another process runs jobs */
  static async take(database: Database): Promise<JobConnection | undefined> {
    const client = makeOwnConnection(database.source, 'commonplace jobs');
    try {
      await client.connect();
      const lock = `SELECT pg_try_advisory_lock(${JOBS_LOCK}) AS taken`;
      const { rows } = await client.query<{ taken: boolean }>(lock);
      if (rows[0]?.taken === true) return new JobConnection(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    await client.end();
    return undefined;
  }

  /** Serializes statements from concurrent callers. */
  query<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    const { name, text } = what;
    const query = { name, text, values: values as unknown[], query_timeout: QUERY_MS };
    const result = this.last.then(() => this.client.query<never>(query));
    this.last = result.catch(() => undefined);
    return result.then(({ rows }) => rows);
  }

  /** Releases the lock. */
  async release(): Promise<void> {
    await this.last;
    await this.client.end().catch(() => undefined);
  }
}

/**
 * Whether no process runs jobs. A transaction that gets true keeps other processes from starting
 * jobs until it ends.
 */
export const LOCK_JOBS = `SELECT pg_try_advisory_xact_lock(${JOBS_LOCK}) AS taken`;
