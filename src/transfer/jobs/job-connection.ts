import { Client } from 'pg';
import { type Database, type Runner, type Statement } from '../../database/database';

/** Any number will do, as long as nothing else locks it: "jobs" in ASCII. */
const JOBS_LOCK = 0x6a6f6273;

const CONNECT_MS = 5000;

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
    const client = new Client({
      connectionString: url,
      application_name: 'commonplace jobs',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    });
    // What ends the connection is seen by the next statement.
    client.on('error', () => undefined);
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
  run<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    const query = { name: what.name, text: what.text, values: values as unknown[] };
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
