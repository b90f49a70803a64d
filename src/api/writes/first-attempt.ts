import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../errors/error-codes';

/** Milliseconds that the response of a request waits for a first attempt after it. */
const ACKNOWLEDGE_MS = 1000;

/** Milliseconds that the last attempts may take when the service stops. */
export const LAST_ATTEMPTS_MS = 2000;

/** Whether the database could not be used, so that the same statement may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 503;

/** Waits for a first attempt, which never rejects, but no longer than a second. */
export async function waitForFirstAttempt(attempt: Promise<void>): Promise<void> {
  const slow = new AbortController();
  const tooSlow = pause(ACKNOWLEDGE_MS, undefined, { signal: slow.signal, ref: false });
  await Promise.race([attempt, tooSlow.catch(() => undefined)]);
  slow.abort();
}
