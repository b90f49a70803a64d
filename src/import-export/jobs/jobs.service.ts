import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { OperationError } from '../../api/errors/error-codes';
import { Settings } from '../../config/settings';
import { ClosableWork } from '../../database/closable-work';
import { DirectDatabase } from '../../database/direct-database';
import { RecordHandlers } from '../engine/handlers';
import { readManifest } from '../full/manifest';
import { fingerprintOf } from './fingerprint';
import { JobCancelled, MAX_ATTEMPTS, type Job, type JobState } from './job';
import { JobConnection } from './job-connection';
import { JobHeartbeat } from './job-heartbeat';
import { type JobHooks, type JobRequest } from './job-request';
import {
  jobErrorMessage,
  jobStateAfter,
  shouldRetry,
  tooManyAttemptsMessage,
  wasStopped,
} from './job-outcome';
import { JOB_TIMES } from './job-times';
import { JobWork, type JobWatch } from './job-work';
import { type TransactionHooks } from '../../database/database';
import { JobReport } from './job-report';
import { JobsRepository } from './jobs.repository';
import { pauseBeforeRetry } from './retry-pause';
import { isTransferName, requireExportInside, resolveTransfer } from './transfer-names';
import { toJobError } from './unavailable-storage';

/**
 * Runs imports and exports, one at a time in order of creation. A job that its process left
 * unfinished is resumed ({@link JobsService.runAndResumeJobs}).
 */
@Injectable()
export class JobsService {
  /** A job that lost its database connection. The loss is not stored yet. */
  private jobWithLostConnection: number | undefined;

  times = JOB_TIMES;

  constructor(
    private readonly database: DirectDatabase,
    private readonly repository: JobsRepository,
    private readonly work: JobWork,
    private readonly kinds: RecordHandlers,
    private readonly settings: Settings,
  ) {}

  /**
   * Creates a job for the servers and notifies them.
   * @param by the administrator
   * @throws Error for an unknown kind, or an invalid name in TRANSFER_DIR
   */
  async start(requested: JobRequest, by: string, hooks?: TransactionHooks): Promise<Job> {
    this.check(requested);
    if (!isTransferName(requested.path))
      throw new OperationError('a path must consist of letters, digits, ".", "_" and "-"');
    const row = { ...requested, from_cli: false, manifest: null, created_by: by };
    return this.repository.insertJob(row, hooks);
  }

  /** A job with its errors. */
  get(id: number): Promise<Job | undefined> {
    return this.repository.findJobById(id);
  }

  /**
   * Cancels a job. Stored records stay; a job that is not running ends immediately.
   * @returns the job after cancellation
   */
  cancel(id: number, hooks?: TransactionHooks): Promise<Job | undefined> {
    return this.repository.cancel(id, hooks);
  }

  /**
   * Runs a job in this process, for the command line. It resumes an incomplete full import with the
   * same manifest.
   * @param restart whether to start from the beginning instead
   * @throws Error when another job is running, or with the reason of the failure
   */
  async runHere(
    requested: JobRequest,
    { by, restart = false }: { readonly by: string; readonly restart?: boolean },
    hooks: JobHooks = {},
  ): Promise<Job> {
    this.check(requested);
    const path = resolve(requested.path);
    const isFullImport = requested.type === 'import' && requested.kind === 'all';
    const manifest = isFullImport ? (await readManifest(path)).hash : null;
    const connection = await JobConnection.acquireJobsLockSoon(this.database, this.times);
    if (!connection) throw new Error('another import or export is running; see "job list"');
    try {
      const before =
        manifest === null || restart ? undefined : await this.repository.unfinished(manifest);
      const job =
        before ??
        (await this.repository.insertJob({
          ...requested,
          path,
          from_cli: true,
          manifest,
          created_by: by,
        }));
      await this.run(connection, { ...job, path }, () => Promise.resolve(path), hooks);
      return (await this.repository.findJobById(job.id)) as Job;
    } finally {
      await connection.release({ notify: true });
    }
  }

  /**
   * Runs the server's waiting jobs, and resumes interrupted ones, one at a time, in order.
   * @param signal stops the running job when aborted; it is resumed later
   * @returns false when another process runs jobs
   * @throws the error of a job that lost its connection, or whose end could not be stored
   */
  async runAndResumeJobs(signal: AbortSignal): Promise<boolean> {
    await this.repository.releaseJobsOfKilledCommands();
    if (!(await this.repository.next(this.database))) return true;
    const connection = await JobConnection.acquireJobsLock(this.database, this.times);
    if (!connection) return false;
    try {
      if (this.jobWithLostConnection !== undefined)
        await this.repository.recordLostConnection(connection, this.jobWithLostConnection);
      this.jobWithLostConnection = undefined;
      while (!signal.aborted) {
        const job = await this.repository.next(connection);
        if (!job) return true;
        // The job's report contains the failure.
        await this.runServed(connection, job, signal).catch((reason: unknown) => {
          // The connection may still be open but reject writes. `runJobs` pauses, and tries again.
          if (this.hasLostConnection) throw reason;
          return this.awaitRetry(connection, job, reason, signal);
        });
      }
      return true;
    } finally {
      await connection.release({ notify: true });
    }
  }

  /**
   * Takes the right to start a process for waiting jobs and those that an ended process left.
   * @returns undefined when there are none, or another process runs or starts them
   */
  async acquireStartLock(): Promise<JobConnection | undefined> {
    await this.repository.releaseJobsOfKilledCommands();
    if (!(await this.repository.next(this.database))) return undefined;
    return JobConnection.acquireStartLock(this.database, this.times);
  }

  /** Whether a job of this process lost its connection and was not resumed yet. */
  get hasLostConnection(): boolean {
    return this.jobWithLostConnection !== undefined;
  }

  /** Stores how the process of the server's running job ended. */
  recordCrash(outcome: string): Promise<void> {
    return this.repository.recordCrash(outcome);
  }

  private async runServed(connection: JobConnection, job: Job, signal: AbortSignal): Promise<void> {
    // Its cancellation was requested, but its process ended first.
    if (job.cancel_requested) return this.endInterrupted(connection, job, 'cancelled');
    if (job.attempts >= MAX_ATTEMPTS) {
      return this.endInterrupted(connection, job, 'failed', tooManyAttemptsMessage(job));
    }
    try {
      await this.run(connection, job, () => resolveTransfer(this.settings.transferDir, job), {
        signal,
      });
    } catch (error) {
      if (!wasStopped(error) && !shouldRetry(job, error)) {
        await this.repository.end(connection, job.id, 'failed', jobErrorMessage(error));
      }
      throw error;
    }
  }

  /**
   * Waits before the next attempt, unless the job is cancelled. It keeps the job lock, so that other
   * jobs wait as well.
   */
  private async awaitRetry(
    connection: JobConnection,
    job: Job,
    reason: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    if (!shouldRetry(job, reason)) {
      // Its end could not be stored: `runJobs` pauses.
      if (!wasStopped(reason) && (await this.repository.next(connection))?.id === job.id)
        throw reason;
      return;
    }
    const { heartbeatMs, retryDelaysMs } = this.times;
    await pauseBeforeRetry({
      milliseconds: retryDelaysMs[job.attempts] ?? 0,
      pollMs: heartbeatMs,
      isCancelled: async () => {
        const now = await this.repository.findJobById(job.id, connection);
        return now === undefined || now.state === 'cancelled';
      },
      signal,
    });
  }

  /** Ends a job whose process died, and deletes its unfinished files. */
  private async endInterrupted(
    connection: JobConnection,
    job: Job,
    state: JobState,
    reason?: string,
  ): Promise<void> {
    // An error is ignored: unfinished files do no harm, and the next export to the same file
    // deletes them.
    await resolveTransfer(this.settings.transferDir, job)
      .then((path) => this.work.deleteUnfinishedFiles(job, path))
      .catch(() => undefined);
    await this.repository.end(connection, job.id, state, reason);
  }

  private check({ kind }: JobRequest): void {
    if (kind !== 'all') this.kinds.named(kind);
  }

  /**
   * An import continues where an earlier attempt with the same input stopped. Any other job starts
   * over, without the errors of earlier attempts.
   */
  private async resumeOrStartOver(connection: JobConnection, job: Job, path: string): Promise<Job> {
    const manifest = job.type === 'import' ? await fingerprintOf(job.kind, path) : null;
    if (manifest !== null && manifest === job.manifest) return job;
    const begun = await this.repository.startOver(connection, job.id, manifest);
    return { ...job, ...begun, manifest, progress: [], errors: [], error_count: 0 };
  }

  private async run(
    connection: JobConnection,
    job: Job,
    resolvePath: () => Promise<string>,
    hooks: JobHooks,
  ): Promise<void> {
    const { repository } = this;
    const begun = await repository.begin(connection, job.id, job.path);
    if (!begun) throw new JobCancelled();
    const report = new JobReport();
    report.continue(job);
    const closable = new ClosableWork();
    const heartbeat = new JobHeartbeat(
      {
        saveProgress: () => repository.saveProgress(connection, job.id, report.update),
        interrupted: hooks.signal,
        closeConnections: () => {
          this.database.closeConnectionsOf(closable);
        },
      },
      this.times,
    );
    try {
      // The attempt counts if TRANSFER_DIR is unavailable.
      const path = await resolvePath();
      const continued = await this.resumeOrStartOver(connection, { ...job, ...begun }, path);
      report.continue(continued);
      const watch: JobWatch = {
        signal: heartbeat.signal,
        onError: (rejected) => {
          report.addError(rejected);
          hooks.onError?.(rejected);
        },
        onProgress: async (now) => {
          report.setProgress(now);
          hooks.onProgress?.(now);
          await heartbeat.report();
          await requireExportInside(this.settings.transferDir, job);
        },
      };
      await closable.run(() => this.work.run(continued, path, watch));
      report.setProgress(report.update.progress);
      await repository.saveProgress(connection, job.id, report.update);
      await repository.end(connection, job.id, 'done');
    } catch (error) {
      const reason = heartbeat.reasonOf(toJobError(job, error));
      // Until the final update succeeds, a failure counts as a lost database connection.
      this.jobWithLostConnection = job.id;
      await repository.end(connection, job.id, jobStateAfter(job, reason), jobErrorMessage(reason));
      this.jobWithLostConnection = undefined;
      throw reason;
    } finally {
      heartbeat.end();
    }
  }
}
