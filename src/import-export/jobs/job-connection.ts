import { type Client } from 'pg';
import { type Database, type Runner, type Statement } from '../../database/database';
import { makeOwnConnection } from '../../database/own-connection';

/** Any number will do, as long as nothing else locks it: "jobs" in ASCII. */
const JOBS_LOCK = 0x6a6f6273;

/** Milliseconds after which a statement about jobs is given up: none of them waits for others. */
const QUERY_MS = 60_000;

/**
 * The right to run jobs, which one process of a database has at a time, and the connection that it
 * goes with: when the process ends, however it does, the right is free again. What jobs note down
 * goes over it too, so that a job needs no more of the pool than its work.
 */
export class JobConnection implements Runner {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly client: Client) {}

  /** @returns undefined while another process runs jobs */
  static async take(database: Database): Promise<JobConnection | undefined> {
    const { url } = database.source.options as { url?: string };
    const client = makeOwnConnection(url, 'commonplace jobs');
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

  /** One statement after the other, whoever asks. */
  query<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    const { name, text } = what;
    const query = { name, text, values: values as unknown[], query_timeout: QUERY_MS };
    const result = this.last.then(() => this.client.query<never>(query));
    this.last = result.catch(() => undefined);
    return result.then(({ rows }) => rows);
  }

  /** Gives the right back. */
  async release(): Promise<void> {
    await this.last;
    await this.client.end().catch(() => undefined);
  }
}

/** Whether nobody runs jobs; a transaction that finds so keeps it that way until it ends. */
export const LOCK_JOBS = `SELECT pg_try_advisory_xact_lock(${JOBS_LOCK}) AS taken`;
