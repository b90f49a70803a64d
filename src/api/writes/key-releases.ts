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

/** Maximum number of keys of a process that wait for their release. */
const MAX_WAITING = 10_000;

/**
 * Releases the keys of requests that failed and committed nothing, so that clients can repeat them
 * (D91). The usual cause is that the database is unavailable, and the release then needs further
 * attempts. One key at a time is tried until the database is back.
 */
export class KeyReleases {
  private readonly logger = new Logger(KeyReleases.name);
  /** When each attempt failed, in milliseconds. */
  private readonly waiting = new Map<Attempt, number>();
  private readonly stopping = new AbortController();
  /** First attempts, and the attempts for the keys that wait. */
  private readonly running = new Set<Promise<void>>();
  private isReleasing = false;

  /**
   * Releases a key. It never fails, and takes at most a second: if the database is unavailable or
   * slow, the release continues in the background.
   */
  async release(attempt: Attempt): Promise<void> {
    const since = performance.now();
    await waitForFirstAttempt(
      this.run(async () => {
        if (await this.tryRelease(attempt)) return;
        if (this.waiting.size >= MAX_WAITING) return;
        this.waiting.set(attempt, since);
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
    for (const [attempt, since] of this.waiting) {
      const isNeeded = performance.now() < since + MAX_MS;
      if (isNeeded && !(await this.tryRelease(attempt))) return;
      this.waiting.delete(attempt);
    }
  }

  /** @returns false when another attempt may succeed */
  private async tryRelease(attempt: Attempt): Promise<boolean> {
    try {
      await attempt.abandon();
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      this.logger.warn(`cannot release an Idempotency-Key: ${errorText(error)}`);
      return true;
    }
  }
}
