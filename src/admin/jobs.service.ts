import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/errors';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { Settings } from '../config/settings';
import { type SqlExecutor } from '../database/database';
import { type JobState } from '../import-export/jobs/job';
import {
  JobDetailsRepository,
  type AdminJobRow,
  type AuditedJob,
} from '../import-export/jobs/job-details.repository';
import { JobsService, type JobRequest } from '../import-export/jobs/jobs.service';
import { withoutFolders } from './job-paths';

/** Administration of import and export jobs. Paths are relative to TRANSFER_DIR. */
@Injectable()
export class AdminJobsService {
  constructor(
    private readonly details: JobDetailsRepository,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly settings: Settings,
  ) {}

  /** Jobs, newest first. */
  async list(state: JobState | undefined, page: PageQuery): Promise<Page<AdminJobRow>> {
    const found = await this.details.list(state, page);
    return { ...found, items: found.items.map((job) => this.shown(job)) };
  }

  /** All matching jobs, newest first. */
  async *scan(state: JobState | undefined): AsyncGenerator<AdminJobRow> {
    for await (const job of this.details.scan(state)) yield this.shown(job);
  }

  /** @throws OperationError 1001 when not found */
  async getJob(id: number): Promise<AdminJobRow> {
    const job = await this.details.findJob(id);
    if (!job) throw notFound(`job not found: ${id}`);
    return this.shown(job);
  }

  /** The first hundred records that a job rejected. @throws OperationError 1001 when not found */
  async report(id: number, page: PageQuery): Promise<Page<object>> {
    const job = await this.details.findErrors(id);
    if (!job) throw notFound(`job not found: ${id}`);
    const named = this.naming(job);
    const errors = job.errors.map((one) => ({ ...one, file: named(one.file) }));
    return slicePage(errors, page);
  }

  /**
   * Creates a job, which the server starts soon and resumes after a restart.
   * @throws OperationError 999 for an unknown kind or an invalid name in TRANSFER_DIR
   */
  async start(requested: JobRequest, actor: Actor): Promise<AdminJobRow> {
    const read = (executor: SqlExecutor) => this.details.findCreated(executor);
    const id = (made: object) => (made as AuditedJob).id;
    const job = await this.audit.logChange(
      { actor, action: `job.${requested.type}`, kind: 'job', id, read },
      (hooks) => this.jobs.start(requested, actor.name, hooks),
    );
    return this.getJob(job.id);
  }

  /** Cancels a job; imported records stay. @throws OperationError 1001 when not found */
  async cancel(id: number, actor: Actor): Promise<AdminJobRow> {
    await this.getJob(id);
    const read = (executor: SqlExecutor) => this.details.findAudited(executor, id);
    await this.audit.logChange(
      { actor, action: 'job.cancel', kind: 'job', id: String(id), read },
      (hooks) => this.jobs.cancel(id, hooks),
    );
    return this.getJob(id);
  }

  private shown(job: AdminJobRow): AdminJobRow {
    const named = this.naming(job);
    const progress = job.progress.map((one) => ({ ...one, file: named(one.file) }));
    return { ...job, path: named(job.path), error: named(job.error), progress };
  }

  private naming({ path }: Pick<AdminJobRow, 'path'>): (text: string) => string {
    return withoutFolders(path, this.settings.transferDir);
  }
}
