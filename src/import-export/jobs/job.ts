import { type InitialIds } from '../engine/assigned-ids';
import { type ImportError } from '../engine/import-options';
import { type FileProgress } from '../full/full-import';

export const JOB_TYPES = ['import', 'export'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** States of a job. The next process resumes a running job whose process has ended. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Progress of a job in one file. Exports have no outcomes (imported, updated, skipped, failed) and no bytes. */
export type JobProgress = Pick<FileProgress, 'kind' | 'file' | 'records'> &
  Partial<FileProgress> & {
    /** Bytes of an imported file that were read, of `size`. */
    readonly bytes?: number;
  };

/** An import or export job with its progress and errors. */
export interface Job {
  readonly id: number;
  readonly type: JobType;
  /** Name of a kind, or `all`. */
  readonly kind: string;
  /** File or folder: a path for the command line, else a name in TRANSFER_DIR. */
  readonly path: string;
  /** Whether the command line runs it; the server ignores it then. */
  readonly from_cli: boolean;
  /**
   * Identifies the input of an import: the SHA-256 of the manifest of a full export, or the size and
   * modification time of another file. If it has changed, a resumed import starts over. Null for
   * exports, and for jobs of servers before their first attempt.
   */
  readonly manifest: string | null;
  readonly state: JobState;
  /**
   * Number of attempts. Attempts that stopped gracefully do not count, nor do the first
   * {@link MAX_UNCOUNTED_LOSSES} that lost their connection. An import counts those from zero again
   * after it has stored further records.
   */
  readonly attempts: number;
  /**
   * Number of attempts that were cut off by the loss of the connection with the job lock; of an
   * import since it last stored further records.
   */
  readonly lost_connections: number;
  readonly progress: readonly JobProgress[];
  /** The first rejected records and the total number of rejected records. */
  readonly errors: readonly ImportError[];
  readonly error_count: number;
  /** The reason of the last failure, also of a job that waits for its next attempt. */
  readonly error: string;
  readonly cancel_requested: boolean;
  /** Of an import whose first attempt has begun. */
  readonly initial_ids: InitialIds | null;
  /** Number of times that it has begun, also of attempts that do not count. */
  readonly run: number;
  readonly created_by: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Last time the process reported that it is running. */
  readonly heartbeat_at: string | null;
}

/** Maximum number of counted attempts of a job, see {@link Job.attempts}. */
export const MAX_ATTEMPTS = 3;

/**
 * Maximum number of attempts of a job that do not count because its connection was lost. Planned
 * restarts of PostgreSQL should not use up the attempts of a long job, but the work of a job may be
 * the reason why PostgreSQL crashes.
 */
export const MAX_UNCOUNTED_LOSSES = 10;

/** Maximum number of stored errors per job. */
export const MAX_ERRORS = 100;

/** Thrown to stop a job that an administrator cancelled. */
export class JobCancelled extends Error {
  constructor() {
    super('the job was cancelled');
  }
}

/** Thrown to stop a job because its process stops; it is resumed later. */
export class JobInterrupted extends Error {
  constructor() {
    super('the job was interrupted');
  }
}
