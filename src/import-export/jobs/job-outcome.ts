import { JobCancelled, JobInterrupted, type Job, type JobState } from './job';

/** The error message of a job that is not resumed again. */
export const tooManyAttemptsMessage = ({ attempts, error }: Job): string =>
  `the job was stopped after ${attempts} attempts, because its process ended each time` +
  (error === '' ? '' : `, the last time with ${error}`);

/** The stored error message of a job: none if it was stopped. */
export function jobErrorMessage(error: unknown): string {
  if (error instanceof JobCancelled || error instanceof JobInterrupted) return '';
  return error instanceof Error ? error.message : String(error);
}

/** The state of a job that was stopped or failed. */
export function jobStateAfter(reason: unknown): JobState {
  if (reason instanceof JobCancelled) return 'cancelled';
  return reason instanceof JobInterrupted ? 'waiting' : 'failed';
}
