import { ApiError } from '../../api/errors/error-codes';
import { isDatabaseFailure } from '../../database/database-errors';
import {
  JobCancelled,
  JobInterrupted,
  MAX_ATTEMPTS,
  MAX_UNCOUNTED_LOSSES,
  type Job,
  type JobState,
} from './job';
import { UnavailableStorage } from './unavailable-storage';

/** Whether a job ended because it was cancelled, or its process ends. */
export const wasStopped = (error: unknown): boolean =>
  error instanceof JobCancelled || error instanceof JobInterrupted;

/** The error message of a job that is not resumed again. */
export const tooManyAttemptsMessage = ({
  attempts,
  error,
  lost_connections: losses,
}: Pick<Job, 'attempts' | 'error' | 'lost_connections'>): string =>
  `the job failed after ${attempts} attempts, because its process or the database failed each time` +
  (error === '' ? '' : `, the last time with ${error}`) +
  (losses > MAX_UNCOUNTED_LOSSES ? `; it has lost its connection ${losses} times` : '');

/** The stored error message of a job: none if it was stopped. */
export function jobErrorMessage(error: unknown): string {
  if (wasStopped(error)) return '';
  // The message of an error of the API is the same for all with its code.
  const cause = error instanceof ApiError ? (error.cause ?? error.detail ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Whether a server retries a job after a failure of the database, such as a lost connection, or
 * after a disk or S3 was unavailable.
 * @param job as it was before the attempt
 */
export const shouldRetry = (job: Pick<Job, 'from_cli' | 'attempts'>, reason: unknown): boolean =>
  !job.from_cli &&
  job.attempts + 1 < MAX_ATTEMPTS &&
  (reason instanceof UnavailableStorage || isDatabaseFailure(reason));

/**
 * The state of a job that was stopped or failed.
 * @param job as it was before the attempt
 */
export function jobStateAfter(job: Pick<Job, 'from_cli' | 'attempts'>, reason: unknown): JobState {
  if (reason instanceof JobCancelled) return 'cancelled';
  return reason instanceof JobInterrupted || shouldRetry(job, reason) ? 'waiting' : 'failed';
}
