import { type Client, type QueryConfig } from 'pg';
import { type Database, type SqlExecutor, type Statement } from '../../database/database';
import { makeOwnConnection } from '../../database/own-connection';

/** An arbitrary lock number that no other lock uses: "jobs" in ASCII. */
const JOBS_LOCK = 0x6a6f6273;

/** The same, for starting the process that runs jobs: "jobp". */
const START_LOCK = 0x6a6f6270;

/** Channel that tells processes to look for jobs: a job was created, or another process is done. */
export const JOBS_CHANNEL = 'jobs_changed';

const ACQUIRE_JOBS = `SELECT pg_try_advisory_lock(${JOBS_LOCK}) AS acquired`;
// The jobs lock is only probed, because the started process takes it.
const ACQUIRE_START = `SELECT CASE WHEN pg_try_advisory_lock(${START_LOCK})
    AND pg_try_advisory_lock(${JOBS_LOCK}) THEN pg_advisory_unlock(${JOBS_LOCK})
  ELSE false END AS acquired`;
// The notification arrives after the unlock, so that the processes find the lock free.
const RELEASE = `SELECT pg_advisory_unlock_all(), pg_notify('${JOBS_CHANNEL}', '')`;

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
  static acquireJobsLock(database: Database): Promise<JobConnection | undefined> {
    return JobConnection.open(database, ACQUIRE_JOBS);
  }

  /**
   * Acquires the lock for starting a job process, so that several servers do not start one each.
   * @returns undefined while another server has it, or a process runs jobs
   */
  static acquireStartLock(database: Database): Promise<JobConnection | undefined> {
    return JobConnection.open(database, ACQUIRE_START);
  }

  private static async open(database: Database, lock: string): Promise<JobConnection | undefined> {
    const client = makeOwnConnection(database.source, 'commonplace jobs');
    try {
      await client.connect();
      const { rows } = await client.query<{ acquired: boolean }>(lock);
      if (rows[0]?.acquired === true) return new JobConnection(client);
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

  /**
   * Releases the lock.
   * @param notify whether all processes look for jobs then
   */
  async release({ notify }: { readonly notify: boolean }): Promise<void> {
    await this.last;
    if (notify) {
      const query = { text: RELEASE, query_timeout: QUERY_MS };
      await this.client.query(query as QueryConfig).catch(() => undefined);
    }
    await this.client.end().catch(() => undefined);
  }
}

/** Tells all processes to look for jobs, when the transaction commits. */
export const NOTIFY_JOBS = `SELECT pg_notify('${JOBS_CHANNEL}', '')`;

/**
 * Whether no process runs jobs. A transaction that gets true keeps other processes from starting
 * jobs until it ends.
 */
export const LOCK_JOBS = `SELECT pg_try_advisory_xact_lock(${JOBS_LOCK}) AS acquired`;
