import { type ImportError } from '../engine/import.service';
import { type FileProgress } from '../full/full-import';

export const JOB_TYPES = ['import', 'export'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** Where a job stands. One that runs and whose process has ended is gone on with by the next. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** How far a job is with one file: an import's in full, of an export the records written. */
export type JobProgress = Pick<FileProgress, 'kind' | 'file' | 'records'> & Partial<FileProgress>;

/** An import or export: what it is, how far it came, and what was wrong. */
export interface Job {
  readonly id: number;
  readonly type: JobType;
  /** Name of a kind, or `all`. */
  readonly kind: string;
  /** File or folder: a path of the command line's, else a name below TRANSFER_DIR. */
  readonly place: string;
  /** Whether the command line does it, and nobody else. */
  readonly by_hand: boolean;
  /** SHA-256 of the manifest of a whole import. */
  readonly manifest: string | null;
  readonly state: JobState;
  /** How often it was begun, apart from those times when its process stopped in good order. */
  readonly attempts: number;
  readonly progress: readonly JobProgress[];
  /** The first records that could not be taken, and how many there were. */
  readonly faults: readonly ImportError[];
  readonly fault_count: number;
  /** Why it failed. */
  readonly error: string;
  readonly cancel_requested: boolean;
  readonly created_by: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When its process last said that it is at work. */
  readonly heartbeat_at: string | null;
}

/** A job that its process left this often is not resumed: it may be what ended the process. */
export const MAX_ATTEMPTS = 3;

/** Faults that a job remembers word for word. */
export const MAX_FAULTS = 100;

/** Thrown where a job stops because somebody asked for it. */
export class JobCancelled extends Error {
  constructor() {
    super('the job was cancelled');
  }
}

/** Thrown where a job stops because its process does; it is gone on with later. */
export class JobInterrupted extends Error {
  constructor() {
    super('the job was interrupted');
  }
}
