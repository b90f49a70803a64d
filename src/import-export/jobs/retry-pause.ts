import { setTimeout as pause } from 'node:timers/promises';

/** When the pause before a retry of a job ends. */
interface RetryPause {
  readonly milliseconds: number;
  /** Milliseconds between two calls of {@link isCancelled}. */
  readonly pollMs: number;
  readonly isCancelled: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Waits until a job may be retried, is cancelled, or the signal is aborted. An error of `isCancelled`,
 * such as a failure of the database, does not shorten the pause.
 */
export async function pauseBeforeRetry({
  milliseconds,
  pollMs,
  isCancelled,
  signal,
}: RetryPause): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!signal.aborted && performance.now() < end) {
    if (await isCancelled().catch(() => false)) return;
    const left = Math.max(end - performance.now(), 0);
    await pause(Math.min(left, pollMs), undefined, { signal }).catch(() => undefined);
  }
}
