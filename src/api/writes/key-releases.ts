import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorText } from '../errors/error-text';
import { detached } from '../http/current-request';
import { isUnavailable, LAST_ATTEMPTS_MS, waitForFirstAttempt } from './first-attempt';
import { type Attempt } from './idempotency';

/** Milliseconds between two attempts while the database is unavailable. */
const PAUSE_MS = 1000;

/** Milliseconds after which a key needs no release: it can be reused after a minute. */
const MAX_MS = 60_000;

/**
 * Maximum number of attempts to release a key that may be claimed later, a second apart. A statement
 * whose connection was lost may run until PostgreSQL's time limit for statements, 10 seconds by
 * default.
 */
const MAX_ABSENT = 15;

/** Maximum number of keys of a process that wait for their release. */
const MAX_WAITING = 10_000;

/** An attempt whose key waits for its release. */
interface Waiting {
  /** When it failed, in milliseconds. */
  readonly since: number;
  /** How often the release may find that the key is not claimed. */
  absences: number;
}

/** Result of an attempt to release a key. */
type Outcome = 'released' | 'absent' | 'unavailable';

/**
 * Releases the keys of requests that failed and committed nothing, so that clients can repeat them
 * (D91). The usual cause is that the database is unavailable, and the release then needs further
 * attempts. One key at a time is tried until the database is back.
 */
export class KeyReleases {
  private readonly logger = new Logger(KeyReleases.name);
  private readonly waiting = new Map<Attempt, Waiting>();
  private readonly stopping = new AbortController();
  /** First attempts, and the attempts for the keys that wait. */
  private readonly running = new Set<Promise<void>>();
  private isReleasing = false;

  /**
   * Releases a key. It never fails, and takes at most a second: if the database is unavailable or
   * slow, the release continues in the background.
   */
  release(attempt: Attempt): Promise<void> {
    return this.releaseOrRetry(attempt, 0);
  }

  /**
   * Releases the key of an attempt that may have claimed it, or may do so in the next seconds: the
   * response of PostgreSQL was lost. Like {@link release}, it never fails.
   */
  releaseUnacknowledged(attempt: Attempt): Promise<void> {
    return this.releaseOrRetry(attempt, MAX_ABSENT);
  }

  private async releaseOrRetry(attempt: Attempt, absences: number): Promise<void> {
    const waiting = { since: performance.now(), absences };
    await waitForFirstAttempt(
      this.run(async () => {
        if (isDone(await this.tryRelease(attempt), waiting)) return;
        if (this.waiting.size >= MAX_WAITING) return;
        this.waiting.set(attempt, waiting);
        if (!this.isReleasing) void this.run(() => this.releaseWaiting());
      }),
    );
  }

  /** Waits for running releases, and tries the others once more, before the service stops. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.finish(), pause(LAST_ATTEMPTS_MS, undefined, { ref: false })]);
  }

  private async finish(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Runs work that is not part of the request. It must not end with its client. */
  private run(work: () => Promise<void>): Promise<void> {
    const running = detached(work).finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  }

  private async releaseWaiting(): Promise<void> {
    this.isReleasing = true;
    const { signal } = this.stopping;
    while (this.waiting.size > 0) {
      await pause(PAUSE_MS, undefined, { ref: false, signal }).catch(() => undefined);
      // Read before the attempts: a key that is added during the last ones is tried once more.
      const { aborted } = signal;
      await this.releaseUntilUnavailable();
      if (aborted) break;
    }
    this.isReleasing = false;
  }

  private async releaseUntilUnavailable(): Promise<void> {
    for (const [attempt, waiting] of this.waiting) {
      const isNeeded = performance.now() < waiting.since + MAX_MS;
      const outcome = isNeeded ? await this.tryRelease(attempt) : 'released';
      if (outcome === 'unavailable') return;
      if (isDone(outcome, waiting)) this.waiting.delete(attempt);
    }
  }

  private async tryRelease(attempt: Attempt): Promise<Outcome> {
    try {
      return (await attempt.release()) ? 'released' : 'absent';
    } catch (error) {
      if (isUnavailable(error)) return 'unavailable';
      this.logger.warn(`cannot release an Idempotency-Key: ${errorText(error)}`);
      return 'released';
    }
  }
}

/** Whether a key needs no further attempt. Counts that it was not claimed. */
function isDone(outcome: Outcome, waiting: Waiting): boolean {
  if (outcome !== 'absent') return outcome === 'released';
  waiting.absences -= 1;
  return waiting.absences < 0;
}
