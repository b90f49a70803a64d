import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../../api/resources/page';
import { Database, statement, type SqlExecutor } from '../../database/database';
import { byValue, FilteredList } from '../../database/filtered-list';
import { wireTime } from '../../database/wire-time';
import { type Job, type JobProgress, type JobState } from './job';

const COLUMNS = `j.id::text AS id, j.type, j.kind, j.path, j.state, j.progress, j.error_count,
  j.error, j.cancel_requested, j.created_by, j.from_cli, ${wireTime('j.created_at')} AS created,
  ${wireTime('j.started_at')} AS started, ${wireTime('j.finished_at')} AS finished,
  CASE WHEN j.state = 'waiting' THEN (
    SELECT a.id::text FROM transfer_jobs a
    WHERE (a.state = 'running' AND a.heartbeat_at > now() - interval '1 minute')
      OR (a.state = 'waiting' AND NOT a.from_cli AND a.id < j.id)
    ORDER BY a.state = 'waiting', a.id LIMIT 1) END AS blocking_job_id,
  extract(epoch FROM now() - greatest(j.created_at, j.heartbeat_at))::float8 AS quiet_seconds`;

const LIST = new FilteredList<'state', AdminJobRow>({
  name: 'jobs.list',
  from: 'transfer_jobs h',
  descending: true,
  filters: { state: byValue('state') },
  columns: COLUMNS,
  joins: 'LEFT JOIN transfer_jobs j ON j.id = p.id',
});

const BY_ID = statement('jobs.details', `SELECT ${COLUMNS} FROM transfer_jobs j WHERE j.id = $1`);

// The audited columns of a job; progress is excluded because the job itself updates it.
const AUDITED = `j.id::text AS id, j.type, j.kind, j.path, j.cancel_requested`;
const AUDITED_BY_ID = statement(
  'jobs.audited',
  `SELECT ${AUDITED} FROM transfer_jobs j WHERE j.id = $1`,
);
const CREATED = statement(
  'jobs.created',
  `SELECT ${AUDITED} FROM transfer_jobs j
   WHERE j.id = currval(pg_get_serial_sequence('transfer_jobs', 'id'))`,
);

const ERRORS = statement('jobs.errors', 'SELECT path, errors FROM transfer_jobs WHERE id = $1');

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
  /** Whether a command runs it, and not a server. */
  readonly from_cli: boolean;
  /** Of a waiting job: the id of the job that runs, or of the first one that waits before it. */
  readonly blocking_job_id: string | null;
  /** Seconds since its creation, or since its process reported last. */
  readonly quiet_seconds: number;
}

/** The columns of a job that the audit log shows. */
export type AuditedJob = Pick<AdminJobRow, 'id' | 'type' | 'kind' | 'path' | 'cancel_requested'>;

/** Jobs as administrators see them. */
@Injectable()
export class JobDetailsRepository {
  constructor(private readonly database: Database) {}

  /** Jobs, newest first. */
  list(state: JobState | undefined, page: PageQuery): Promise<Page<AdminJobRow>> {
    return LIST.page(this.database, { state }, page);
  }

  /** All matching jobs, newest first. */
  scan(state: JobState | undefined): AsyncGenerator<AdminJobRow> {
    return LIST.scan(this.database, { state });
  }

  async findJob(
    id: number,
    executor: SqlExecutor = this.database,
  ): Promise<AdminJobRow | undefined> {
    return (await executor.query<AdminJobRow>(BY_ID, [id]))[0];
  }

  /** The path of a job and its first rejected records. */
  async findErrors(id: number): Promise<Pick<Job, 'path' | 'errors'> | undefined> {
    return (await this.database.query<Pick<Job, 'path' | 'errors'>>(ERRORS, [id]))[0];
  }

  async findAudited(executor: SqlExecutor, id: number): Promise<AuditedJob | undefined> {
    return (await executor.query<AuditedJob>(AUDITED_BY_ID, [id]))[0];
  }

  /** The job that the transaction has just created. */
  async findCreated(executor: SqlExecutor): Promise<AuditedJob | undefined> {
    return (await executor.query<AuditedJob>(CREATED))[0];
  }
}
