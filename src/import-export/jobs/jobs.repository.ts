import { Injectable } from '@nestjs/common';
import {
  Database,
  statement,
  type SqlExecutor,
  type TransactionHooks,
} from '../../database/database';
import { initialIdsSql } from '../engine/assigned-ids';
import { type ImportError } from '../engine/import-options';
import { LOCK_JOBS, NOTIFY_JOBS } from './job-connection';
import {
  MAX_ERRORS,
  MAX_UNCOUNTED_LOSSES,
  type Job,
  type JobProgress,
  type JobState,
  type JobType,
} from './job';

/** A job to insert. */
export interface NewJob {
  readonly type: JobType;
  readonly kind: string;
  readonly path: string;
  readonly from_cli: boolean;
  readonly manifest: string | null;
  readonly created_by: string;
}

/** A progress update of a running job. */
export interface JobUpdate {
  readonly progress: readonly JobProgress[];
  readonly errors: readonly ImportError[];
  readonly error_count: number;
}

/** Columns of a job that has begun. */
export type BegunJob = Pick<Job, 'initial_ids' | 'run'>;

const COLUMNS = `id::float8 AS id, type, kind, path, from_cli, manifest, state, attempts, lost_connections,
  progress, errors, error_count, error, cancel_requested, initial_ids, run, created_by, to_json(created_at) AS created_at,
  to_json(started_at) AS started_at, to_json(finished_at) AS finished_at,
  to_json(heartbeat_at) AS heartbeat_at`;

const ADD = statement(
  'jobs.add',
  `INSERT INTO transfer_jobs (type, kind, path, from_cli, manifest, created_by)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
);
const BY_ID = statement('jobs.by_id', `SELECT ${COLUMNS} FROM transfer_jobs WHERE id = $1`);
const COUNTS = statement(
  'jobs.counts',
  'SELECT type, state, count(*)::int AS n FROM transfer_jobs GROUP BY type, state',
);
const UNFINISHED = statement(
  'jobs.unfinished',
  `SELECT ${COLUMNS} FROM transfer_jobs
   WHERE manifest = $1 AND from_cli AND type = 'import' ORDER BY id DESC LIMIT 1`,
);
const NEXT = statement(
  'jobs.next',
  `SELECT ${COLUMNS} FROM transfer_jobs
   WHERE state IN ('waiting', 'running') AND NOT from_cli ORDER BY id LIMIT 1`,
);
// The cancellation of a server's job may have been stored after the job was read. The lock waits
// for transactions of an earlier run that have stored their part.
const BEGIN = statement(
  'jobs.begin',
  `WITH locked AS (SELECT FROM transfer_jobs WHERE id = $1 FOR UPDATE)
   UPDATE transfer_jobs SET state = 'running', started_at = coalesce(started_at, now()),
     path = $2, heartbeat_at = now(), finished_at = NULL, error = '', cancel_requested = false,
     attempts = attempts + 1, run = run + 1,
     initial_ids = CASE type WHEN 'import' THEN coalesce(initial_ids, ${initialIdsSql}) END
   WHERE id = $1 AND EXISTS (SELECT FROM locked)
     AND (from_cli OR state IN ('waiting', 'running') AND NOT cancel_requested)
   RETURNING initial_ids, run`,
);
// The initial ids stay, also when the input has changed: users may have created records since the
// first attempt.
const START_OVER = statement(
  'jobs.start_over',
  `WITH parts AS (DELETE FROM transfer_job_parts WHERE job_id = $1)
   UPDATE transfer_jobs SET manifest = $2, progress = '[]', errors = '[]', error_count = 0
   WHERE id = $1 RETURNING initial_ids, run`,
);
// A restart of PostgreSQL or a network failure does not count. If it happens often, the job may be
// the cause.
const RECORD_LOST_CONNECTION = statement(
  'jobs.record_lost_connection',
  `UPDATE transfer_jobs SET lost_connections = lost_connections + 1,
     attempts = CASE WHEN lost_connections < $2 THEN greatest(attempts - 1, 0) ELSE attempts END,
     error = CASE WHEN lost_connections < $2 THEN error ELSE $3 END
   WHERE id = $1 AND state = 'running'`,
);
const RECORD_CRASH = statement(
  'jobs.record_crash',
  `UPDATE transfer_jobs SET error = $1 WHERE state = 'running' AND NOT from_cli`,
);
/** SQL: the total records of all files of a progress. */
const recordsIn = (progress: string): string =>
  `(SELECT coalesce(sum(records), 0) FROM jsonb_to_recordset(${progress}) AS f (records int8))`;

// Parts are needed until the progress includes them. An import that stores
// further records is not the cause of crashes.
const SAVE_PROGRESS = statement(
  'jobs.save_progress',
  `WITH parts AS (
     DELETE FROM transfer_job_parts p
     USING jsonb_to_recordset($2) AS f (file text, records int)
     WHERE p.job_id = $1 AND p.file = f.file AND p.last <= f.records)
   UPDATE transfer_jobs SET progress = $2, errors = $3, error_count = $4, heartbeat_at = now(),
     lost_connections = CASE WHEN type = 'import' AND ${recordsIn('$2')} > ${recordsIn('progress')}
       THEN 0 ELSE lost_connections END
   WHERE id = $1 RETURNING cancel_requested`,
);
// A job that waits with an error has failed, so the attempt counts. The parts of a job that may be
// resumed are needed.
const END = statement(
  'jobs.end',
  `WITH parts AS (
     DELETE FROM transfer_job_parts p USING transfer_jobs j WHERE p.job_id = $1 AND j.id = $1
       AND ($2 = 'done' OR $2 = 'cancelled' AND NOT j.from_cli))
   UPDATE transfer_jobs SET state = $2, error = $3, heartbeat_at = now(),
     attempts = CASE WHEN $2 = 'waiting' AND $3 = '' THEN greatest(attempts - 1, 0) ELSE attempts END,
     finished_at = CASE WHEN $2 IN ('waiting', 'running') THEN NULL ELSE now() END
   WHERE id = $1`,
);
// Processes of running jobs report every two seconds. A repeated command resumes an import, not an
// export.
const RELEASE_JOBS_OF_KILLED_COMMANDS = statement(
  'jobs.release_jobs_of_killed_commands',
  `UPDATE transfer_jobs SET state = CASE type WHEN 'import' THEN 'waiting' ELSE 'failed' END,
     error = 'the process of the command ended',
     finished_at = CASE type WHEN 'import' THEN NULL ELSE now() END
   WHERE state = 'running' AND from_cli AND heartbeat_at < now() - interval '1 minute'`,
);
const LOCK = statement('jobs.lock', LOCK_JOBS);
const NOTIFY = statement('jobs.notify', NOTIFY_JOBS);
const CANCEL = statement(
  'jobs.cancel',
  `WITH parts AS (
     DELETE FROM transfer_job_parts p USING transfer_jobs j WHERE p.job_id = $1 AND j.id = $1
       AND (j.state = 'waiting' OR $2) AND NOT j.from_cli)
   UPDATE transfer_jobs SET cancel_requested = true,
     state = CASE WHEN state = 'waiting' OR $2 THEN 'cancelled' ELSE state END,
     finished_at = CASE WHEN state = 'waiting' OR $2 THEN now() END
   WHERE id = $1 AND state IN ('waiting', 'running')`,
);

/** Error of an attempt that lost its connection and counts, until the next attempt begins. */
const LOST_CONNECTION = 'a lost connection to the database';

/** Maximum value of the column. */
const MAX_COUNTED = 2_147_483_647;

/** Reads and writes jobs. */
@Injectable()
export class JobsRepository {
  constructor(private readonly database: Database) {}

  /** Stores a job, and notifies the processes that run the jobs of servers. */
  async insertJob(job: NewJob, hooks?: TransactionHooks): Promise<Job> {
    const { type, kind, path, from_cli, manifest, created_by } = job;
    const values = [type, kind, path, from_cli, manifest, created_by];
    const [made] = await this.database.transaction(async (executor) => {
      if (!from_cli) await executor.query(NOTIFY);
      return executor.query<Job>(ADD, values);
    }, hooks);
    return made as Job;
  }

  /** @param executor a transaction for the query; defaults to the pool */
  async findJobById(id: number, executor: SqlExecutor = this.database): Promise<Job | undefined> {
    return (await executor.query<Job>(BY_ID, [id]))[0];
  }

  /** Number of jobs by type and state, without zeros. */
  counts(): Promise<{ type: JobType; state: JobState; n: number }[]> {
    return this.database.query(COUNTS);
  }

  /** The command line's latest incomplete import of a manifest. */
  async unfinished(manifest: string): Promise<Job | undefined> {
    const [job] = await this.database.query<Job>(UNFINISHED, [manifest]);
    return job?.state === 'done' ? undefined : job;
  }

  /**
   * Requests cancellation; a job that is not running ends immediately.
   * @returns the job after it
   */
  cancel(id: number, hooks?: TransactionHooks): Promise<Job | undefined> {
    return this.database.transaction(async (executor) => {
      const [lock] = await executor.query<{ acquired: boolean }>(LOCK);
      await executor.query(CANCEL, [id, lock?.acquired === true]);
      return this.findJobById(id, executor);
    }, hooks);
  }

  /**
   * Marks jobs of commands whose processes ended without a report: an import waits for its command.
   * A process that was only frozen stores its own state when it ends.
   */
  async releaseJobsOfKilledCommands(): Promise<void> {
    await this.database.query(RELEASE_JOBS_OF_KILLED_COMMANDS);
  }

  /** The next job for the server to run. */
  async next(executor: SqlExecutor): Promise<Job | undefined> {
    return (await executor.query<Job>(NEXT))[0];
  }

  /** Sets a job to running. @returns undefined if the job was cancelled */
  async begin(executor: SqlExecutor, id: number, path: string): Promise<BegunJob | undefined> {
    return (await executor.query<BegunJob>(BEGIN, [id, path]))[0];
  }

  /** Forgets the progress of earlier attempts. @param manifest see {@link Job.manifest} */
  async startOver(
    executor: SqlExecutor,
    id: number,
    manifest: string | null,
  ): Promise<BegunJob | undefined> {
    return (await executor.query<BegunJob>(START_OVER, [id, manifest]))[0];
  }

  /** Stores the progress of a job. @returns whether its cancellation was requested */
  async saveProgress(executor: SqlExecutor, id: number, update: JobUpdate): Promise<boolean> {
    const errors = JSON.stringify(update.errors.slice(0, MAX_ERRORS));
    const count = Math.min(update.error_count, MAX_COUNTED);
    const values = [id, JSON.stringify(update.progress), errors, count];
    const [row] = await executor.query<{ cancel_requested: boolean }>(SAVE_PROGRESS, values);
    return row?.cancel_requested === true;
  }

  /**
   * Stores that the running attempt of a job lost its connection. It does not count, unless the job
   * had {@link MAX_UNCOUNTED_LOSSES} before.
   */
  async recordLostConnection(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(RECORD_LOST_CONNECTION, [id, MAX_UNCOUNTED_LOSSES, LOST_CONNECTION]);
  }

  /** Stores how the process of the server's running job ended, for the final error message. */
  async recordCrash(outcome: string): Promise<void> {
    await this.database.query(RECORD_CRASH, [outcome]);
  }

  async end(executor: SqlExecutor, id: number, state: JobState, error = ''): Promise<void> {
    await executor.query(END, [id, state, error]);
  }
}
