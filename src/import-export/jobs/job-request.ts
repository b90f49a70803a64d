import { type ImportError } from '../engine/import-options';
import { type JobProgress, type JobType } from './job';

/** A requested import or export. */
export interface JobRequest {
  readonly type: JobType;
  /** Name of a kind, or `all`. */
  readonly kind: string;
  /** A file or folder name in TRANSFER_DIR; for the command line, any path. */
  readonly path: string;
}

/** Callbacks of a job that runs in this process. */
export interface JobHooks {
  readonly onError?: (error: ImportError) => void;
  readonly onProgress?: (progress: readonly JobProgress[]) => void;
  /** Stops the job when aborted; it can be resumed. */
  readonly signal?: AbortSignal;
}
