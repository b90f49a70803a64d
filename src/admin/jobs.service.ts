import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/error-codes';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor, type Change } from '../audit/audit.service';
import { Settings } from '../config/settings';
import { nestHooks, type SqlExecutor, type TransactionHooks } from '../database/database';
import { type JobState } from '../import-export/jobs/job';
import {
  JobDetailsRepository,
  type AdminJobRow,
  type AuditedJob,
} from '../import-export/jobs/job-details.repository';
import { type JobRequest } from '../import-export/jobs/job-request';
import { JobsService } from '../import-export/jobs/jobs.service';
import {
  estimateProgress,
  waitingFor,
  type JobEstimate,
  type WaitingFor,
} from '../import-export/jobs/job-status';
import { withoutFolders } from './job-paths';
import { isTransferName } from '../import-export/jobs/transfer-names';
import { TransferFolder } from './transfer-folder';

/** A job with its pace, and what it waits for. */
export interface AdminJob extends AdminJobRow, JobEstimate {
  readonly waiting_for: WaitingFor | undefined;
}

/** @throws OperationError 1001 when not found */
function orNotFound<T>(id: number, found: T | undefined): T {
  if (!found) throw notFound(`job not found: ${id}`);
  return found;
}

/** Administration of import and export jobs. Paths are relative to TRANSFER_DIR. */
@Injectable()
export class AdminJobsService {
  constructor(
    private readonly details: JobDetailsRepository,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly settings: Settings,
    private readonly folder: TransferFolder,
  ) {}

  /** Jobs, newest first. */
  async list(state: JobState | undefined, page: PageQuery): Promise<Page<AdminJob>> {
    const found = await this.details.list(state, page);
    return { ...found, items: found.items.map((job) => this.toAdminJob(job)) };
  }

  /** All matching jobs, newest first. */
  async *scan(state: JobState | undefined): AsyncGenerator<AdminJob> {
    for await (const job of this.details.scan(state)) yield this.toAdminJob(job);
  }

  /** @throws OperationError 1001 when not found */
  async getJob(id: number): Promise<AdminJob> {
    return this.toAdminJob(orNotFound(id, await this.details.findJob(id)));
  }

  /** The first hundred records that a job rejected. @throws OperationError 1001 when not found */
  async report(id: number, page: PageQuery): Promise<Page<object>> {
    const job = orNotFound(id, await this.details.findErrors(id));
    const named = this.naming(job);
    const errors = job.errors.map((one) => ({ ...one, file: named(one.file) }));
    return slicePage(errors, page);
  }

  /**
   * Creates a job, which the server starts soon and resumes after a restart.
   * @throws OperationError 999 for an unknown kind or an invalid name in TRANSFER_DIR
   */
  async start(requested: JobRequest, actor: Actor): Promise<AdminJob> {
    const read = (executor: SqlExecutor) => this.details.findCreated(executor);
    const id = (made: object) => (made as AuditedJob).id;
    const change = { actor, action: `job.${requested.type}`, kind: 'job', id, read };
    return this.change(change, (hooks) => this.jobs.start(requested, actor.name, hooks));
  }

  /**
   * Like `start`, but first checks that the file can be imported. TRANSFER_DIR must be the one of
   * the servers that run jobs.
   * @throws InputError for a file that cannot be imported
   */
  async startAfterFileCheck(requested: JobRequest, actor: Actor): Promise<AdminJob> {
    const { type, kind, path } = requested;
    // start() rejects an unknown kind or an invalid name.
    if (type === 'import' && isTransferName(path)) await this.folder.requireInput(kind, path);
    return this.start(requested, actor);
  }

  /** Cancels a job; imported records stay. @throws OperationError 1001 when not found */
  async cancel(id: number, actor: Actor): Promise<AdminJob> {
    orNotFound(id, await this.details.findJob(id));
    const read = (executor: SqlExecutor) => this.details.findAudited(executor, id);
    const change = { actor, action: 'job.cancel', kind: 'job', id: String(id), read };
    return this.change(change, (hooks) => this.jobs.cancel(id, hooks));
  }

  /** @returns the job as the transaction leaves it */
  private async change(
    change: Change<AuditedJob>,
    work: (hooks: TransactionHooks) => Promise<unknown>,
  ): Promise<AdminJob> {
    let job: AdminJobRow | undefined;
    const end = async (executor: SqlExecutor): Promise<void> => {
      const audited = await change.read(executor);
      job = audited && (await this.details.findJob(Number(audited.id), executor));
    };
    await this.audit.logChange(change, (hooks) => work(nestHooks(hooks, { end })));
    if (!job) throw notFound('job not found');
    return this.toAdminJob(job);
  }

  private toAdminJob(job: AdminJobRow): AdminJob {
    const named = this.naming(job);
    const progress = job.progress.map(({ prefix: _prefix, ...one }) => ({
      ...one,
      file: named(one.file),
    }));
    const waiting_for = waitingFor(job);
    return {
      ...{ ...job, ...estimateProgress(job), waiting_for },
      ...{ path: named(job.path), error: named(job.error), progress },
    };
  }

  private naming({ path }: Pick<AdminJobRow, 'path'>): (text: string) => string {
    return withoutFolders(path, this.settings.transferDir);
  }
}
