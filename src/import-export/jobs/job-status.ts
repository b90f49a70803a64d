import { type AdminJobRow } from './job-details.repository';
import { type Job, type JobProgress } from './job';

/**
 * What a waiting job waits for: another `job`, a `command` that resumes it, the `start` of its
 * process or its next attempt, or a `server` that runs jobs.
 */
export const WAITING_FOR = ['job', 'command', 'start', 'server'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** Seconds that the start of a job's process may take. */
const START_SECONDS = 60;

/** What a job waits for; undefined unless it is waiting. */
export function waitingFor(
  job: Pick<AdminJobRow, 'state' | 'from_cli' | 'blocking_job_id' | 'quiet_seconds'>,
): WaitingFor | undefined {
  if (job.state !== 'waiting') return undefined;
  if (job.from_cli) return 'command';
  if (job.blocking_job_id !== null) return 'job';
  return job.quiet_seconds < START_SECONDS ? 'start' : 'server';
}

/** Progress estimate of a job. Members are undefined while they are unknown. */
export interface JobEstimate {
  /** Percentage of the job that is done, 0 to 100. */
  readonly percent: number | undefined;
  readonly records_per_second: number | undefined;
  /** Estimated seconds to the end of a running job. */
  readonly seconds_left: number | undefined;
}

/** Share and seconds from which the time left can be estimated. */
const MIN_SHARE = 0.01;
const MIN_SECONDS = 1;

/** The share of a file that is done, from 0 to 1; undefined when its size is unknown. */
function shareOf({ done, bytes, size, records, total }: JobProgress): number | undefined {
  if (done === true) return 1;
  const [part, whole] = total === undefined ? [bytes, size] : [records, total];
  if (part === undefined || whole === undefined) return undefined;
  // Rows that are written during an export are not part of its total.
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

/** The share of all files that is done, weighted by their size, or by their number of records. */
function totalShare(progress: readonly JobProgress[]): number | undefined {
  const bySize = progress.every(({ size }) => size !== undefined);
  let [part, whole] = [0, 0];
  for (const one of progress) {
    const share = shareOf(one);
    const weight = (bySize ? one.size : one.total) ?? 1;
    if (share === undefined) return undefined;
    part += share * weight;
    whole += weight;
  }
  return whole === 0 ? undefined : part / whole;
}

const sumOf = (progress: readonly JobProgress[], name: 'records' | 'seconds'): number =>
  progress.reduce((sum, one) => sum + (one[name] ?? 0), 0);

/** Estimates the progress of a job from its counted records and the time that it has run. */
export function estimateProgress({
  state,
  progress,
}: Pick<Job, 'state' | 'progress'>): JobEstimate {
  const seconds = sumOf(progress, 'seconds');
  const share = state === 'done' ? 1 : totalShare(progress);
  const isEstimable =
    state === 'running' && share !== undefined && share >= MIN_SHARE && seconds >= MIN_SECONDS;
  return {
    // 100 is for finished jobs: the last records may still be stored.
    percent:
      share === undefined
        ? undefined
        : Math.min(Math.floor(share * 100), state === 'done' ? 100 : 99),
    records_per_second: seconds > 0 ? Math.round(sumOf(progress, 'records') / seconds) : undefined,
    seconds_left: isEstimable ? Math.ceil((seconds / share) * (1 - share)) : undefined,
  };
}
