import { setTimeout as pause } from 'node:timers/promises';
import { type QueryConfig, type QueryResult } from 'pg';
import {
  statement,
  type Database,
  type SqlExecutor,
  type Statement,
} from '../../database/database';
import { isSilent } from '../../database/database-errors';
import { makeOwnConnection } from '../../database/own-connection';
import { type PoolClient } from '../../database/pool-client';
import { KEEP_SESSION_ALIVE } from '../../database/session';
import { JOB_TIMES, type JobTimes } from './job-times';

/** An arbitrary lock number that no other lock uses: "jobs" in ASCII. */
const JOBS_LOCK = 0x6a6f6273;

/** The same, for starting the process that runs jobs: "jobp". */
const START_LOCK = 0x6a6f6270;

/** Channel that tells processes to look for jobs: a job was created, or another process is done. */
export const JOBS_CHANNEL = 'jobs_changed';

/** How often and at which interval in milliseconds the command line tries to get the job lock. */
const TRIES = 5;
const BETWEEN_MS = 200;

interface Acquired {
  readonly acquired: boolean;
}

/** `pg` has a time limit of a statement, which its types lack. */
type Query = QueryConfig & { readonly query_timeout: number };

const ACQUIRE_JOBS = `SELECT pg_try_advisory_lock(${JOBS_LOCK}) AS acquired`;
// The jobs lock is only probed, because the started process takes it.
const ACQUIRE_START = `SELECT CASE WHEN pg_try_advisory_lock(${START_LOCK})
    AND pg_try_advisory_lock(${JOBS_LOCK}) THEN pg_advisory_unlock(${JOBS_LOCK})
  ELSE false END AS acquired`;
// The notification arrives after the unlock, so that the processes find the lock free.
const RELEASE = `SELECT pg_advisory_unlock_all(), pg_notify('${JOBS_CHANNEL}', '')`;

// The session ends when it gets no ping for a while: a proxy may keep it open after it has stopped
// forwarding statements, and a host may vanish.
const SET_UP = `SELECT set_config('idle_session_timeout', $1, false), ${KEEP_SESSION_ALIVE}`;
const PING = statement('jobs.ping', 'SELECT');

/**
 * The lock that lets one process per database run jobs, and the connection that owns it. PostgreSQL
 * releases the lock when the process ends for any reason, or sends no statement for a while.
 * Progress updates use this connection as well, so that a job needs no additional connection of the
 * pool.
 *
 * Statements on this connection never wait for other transactions. If a statement gets no response
 * in time, the connection is closed, and all later statements fail.
 */
export class JobConnection implements SqlExecutor {
  private last: Promise<unknown> = Promise.resolve();
  private readonly pings: NodeJS.Timeout;

  private constructor(
    private readonly client: PoolClient,
    private readonly times: JobTimes,
  ) {
    this.pings = setInterval(() => {
      this.query(PING).catch(() => undefined);
    }, times.pingMs).unref();
  }

  /** @returns undefined while another process runs jobs */
  static acquireJobsLock(
    database: Database,
    times = JOB_TIMES,
  ): Promise<JobConnection | undefined> {
    return JobConnection.open(database, ACQUIRE_JOBS, times);
  }

  /**
   * Tries for a second: PostgreSQL may need a moment to notice that the previous process has ended.
   * @returns undefined if another process still runs jobs
   */
  static async acquireJobsLockSoon(
    database: Database,
    times = JOB_TIMES,
  ): Promise<JobConnection | undefined> {
    for (let tries = 1; ; tries += 1) {
      const connection = await JobConnection.acquireJobsLock(database, times);
      if (connection || tries === TRIES) return connection;
      await pause(BETWEEN_MS);
    }
  }

  /**
   * Acquires the lock for starting a job process, so that several servers do not start one each.
   * @returns undefined while another server has it, or a process runs jobs
   */
  static acquireStartLock(
    database: Database,
    times = JOB_TIMES,
  ): Promise<JobConnection | undefined> {
    return JobConnection.open(database, ACQUIRE_START, times);
  }

  private static async open(
    database: Database,
    lock: string,
    times: JobTimes,
  ): Promise<JobConnection | undefined> {
    const client = makeOwnConnection(database.source, 'commonplace-jobs');
    const query_timeout = times.responseMs;
    try {
      await client.connect();
      await client.query({
        text: SET_UP,
        values: [`${times.idleSessionMs}ms`],
        query_timeout,
      } as Query);
      const { rows } = await client.query<Acquired>({ text: lock, query_timeout } as Query);
      if (rows[0]?.acquired === true) return new JobConnection(client, times);
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
    const result = this.last.then(() => this.send<T>({ name, text, values: values as unknown[] }));
    this.last = result.catch(() => undefined);
    return result.then(({ rows }) => rows);
  }

  private async send<T>(query: QueryConfig): Promise<Pick<QueryResult, 'rows'> & { rows: T[] }> {
    try {
      return await this.client.query<never>({
        ...query,
        query_timeout: this.times.responseMs,
      } as Query);
    } catch (error) {
      if (isSilent(error)) this.client.destroy();
      throw error;
    }
  }

  /**
   * Releases the lock.
   * @param notify whether all processes look for jobs then
   */
  async release({ notify }: { readonly notify: boolean }): Promise<void> {
    clearInterval(this.pings);
    await this.last;
    if (notify) await this.send({ text: RELEASE }).catch(() => undefined);
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
