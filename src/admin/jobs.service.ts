import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/errors';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { Settings } from '../config/settings';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { type ImportError } from '../import-export/engine/import.service';
import { type JobProgress, type JobState } from '../import-export/jobs/job';
import { JobsService, type JobWish } from '../import-export/jobs/jobs.service';
import { withoutFolders } from './job-paths';

const COLUMNS = `j.id::text AS id, j.type, j.kind, j.path, j.state, j.progress, j.error_count,
  j.error, j.cancel_requested, j.created_by, ${wireTime('j.created_at')} AS created,
  ${wireTime('j.started_at')} AS started, ${wireTime('j.finished_at')} AS finished`;

const LIST = new FilteredList<'state', AdminJobRow>({
  name: 'admin.jobs',
  from: 'transfer_jobs h',
  descending: true,
  filters: { state: byValue('state') },
  columns: COLUMNS,
  joins: 'LEFT JOIN transfer_jobs j ON j.id = p.id',
});

const BY_ID = statement('admin.job', `SELECT ${COLUMNS} FROM transfer_jobs j WHERE j.id = $1`);

// The audited columns of a job; progress is excluded because the job itself updates it.
const NOTED = `j.id::text AS id, j.type, j.kind, j.path, j.cancel_requested`;
const NOTED_BY_ID = statement(
  'admin.noted_job',
  `SELECT ${NOTED} FROM transfer_jobs j WHERE j.id = $1`,
);
const JUST_MADE = statement(
  'admin.made_job',
  `SELECT ${NOTED} FROM transfer_jobs j
   WHERE j.id = currval(pg_get_serial_sequence('transfer_jobs', 'id'))`,
);

const ERRORS = statement(
  'admin.job_errors',
  'SELECT path, errors FROM transfer_jobs WHERE id = $1',
);

/** An import or export job as administrators see it. */
export interface AdminJobRow {
  readonly id: string;
  readonly type: string;
  readonly kind: string;
  readonly path: string;
  readonly state: JobState;
  readonly progress: readonly JobProgress[];
  readonly error_count: number;
  readonly error: string;
  readonly cancel_requested: boolean;
  readonly created_by: string;
  readonly created: string;
  readonly started: string | null;
  readonly finished: string | null;
}

/** Administration of import and export jobs. Paths are relative to TRANSFER_DIR. */
@Injectable()
export class AdminJobsService {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly settings: Settings,
  ) {}

  /** Jobs, newest first. */
  async list(state: JobState | undefined, page: PageQuery): Promise<Page<AdminJobRow>> {
    const found = await LIST.page(this.database, { state }, page);
    return { ...found, items: found.items.map((job) => this.shown(job)) };
  }

  /** All matching jobs, newest first. */
  async *scan(state: JobState | undefined): AsyncGenerator<AdminJobRow> {
    for await (const job of LIST.scan(this.database, { state })) yield this.shown(job);
  }

  /** @throws OperationError 1001 when not found */
  async show(id: number): Promise<AdminJobRow> {
    const [job] = await this.database.query<AdminJobRow>(BY_ID, [id]);
    if (!job) throw notFound(`job not found: ${id}`);
    return this.shown(job);
  }

  /** The first hundred records that a job rejected. @throws OperationError 1001 when not found */
  async report(id: number, page: PageQuery): Promise<Page<object>> {
    const [job] = await this.database.query<{ path: string; errors: ImportError[] }>(ERRORS, [id]);
    if (!job) throw notFound(`job not found: ${id}`);
    const named = this.naming(job);
    const errors = job.errors.map((one) => ({ ...one, file: named(one.file) }));
    return slicePage(errors, page);
  }

  /**
   * Creates a job, which the server starts soon and resumes after a restart.
   * @throws OperationError 999 for an unknown kind or an invalid name in TRANSFER_DIR
   */
  async start(wish: JobWish, actor: Actor): Promise<AdminJobRow> {
    const read = async (executor: SqlExecutor) => (await executor.query<object>(JUST_MADE))[0];
    const id = (made: object) => (made as AdminJobRow).id;
    const job = await this.audit.change(
      { actor, action: `job.${wish.type}`, kind: 'job', id, read },
      (hooks) => this.jobs.start(wish, actor.name, hooks),
    );
    return this.show(job.id);
  }

  /** Cancels a job; imported records stay. @throws OperationError 1001 when not found */
  async cancel(id: number, actor: Actor): Promise<AdminJobRow> {
    await this.show(id);
    const read = async (executor: SqlExecutor) =>
      (await executor.query<object>(NOTED_BY_ID, [id]))[0];
    await this.audit.change(
      { actor, action: 'job.cancel', kind: 'job', id: String(id), read },
      (hooks) => this.jobs.cancel(id, hooks),
    );
    return this.show(id);
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
