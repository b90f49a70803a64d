import { setTimeout as pause } from 'node:timers/promises';
import { errorText } from '../../api/errors/error-text';
import { type JobsService } from './jobs.service';

/** Initial and maximum delay in milliseconds before reconnecting to the database. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Runs all waiting jobs, and waits while the database is down. A job that lost its connection is
 * resumed as soon as PostgreSQL has released its lock.
 *
 * @param signal stops the running job when aborted
 * @param warn called with the reason of each failure
 */
export async function runJobs(
  jobs: JobsService,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      const hasRunAll = await jobs.runAndResumeJobs(signal);
      if (hasRunAll || !jobs.hasLostConnection) return;
    } catch (error) {
      warn(`jobs are waiting for the database: ${errorText(error)}`);
    }
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
}
