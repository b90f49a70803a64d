import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorText } from '../errors/error-text';
import { detached } from '../http/current-request';
import { isUnavailable, LAST_ATTEMPTS_MS, waitForFirstAttempt } from './first-attempt';
import { type Attempt } from './idempotency';

/** Milliseconds between two attempts while the database is unavailable. */
const PAUSE_MS = 1000;

/** Milliseconds after which a claimed key needs no release: it can be reused after a minute. */
const MAX_MS = 60_000;

/** Milliseconds that a claim may take to begin after the database responds again. */
const CLAIM_MARGIN_MS = 5000;

/** Maximum number of keys of a process that wait for their release. */
const MAX_WAITING = 10_000;

/** An attempt whose key waits for its release. */
interface Waiting {
  /** When it failed, in milliseconds. */
  readonly since: number;
  /**
   * Until when the key may be claimed, in milliseconds; 0 if it was claimed before. Undefined until
   * the database responds.
   */
  mayBeClaimedUntil: number | undefined;
}

/** Result of an attempt to release a key. */
type Outcome = 'done' | RetryReason;
type RetryReason = 'absent' | 'unavailable';

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
   * @param statementTimeoutMs milliseconds after which PostgreSQL ends a statement, also one whose
   *   connection was lost; 0 means no limit
   */
  constructor(private readonly statementTimeoutMs = 0) {}

  /**
   * Releases a key. It never fails, and takes at most a second: if the database is unavailable or
   * slow, the release continues in the background.
   */
  release(attempt: Attempt): Promise<void> {
    return waitForFirstAttempt(this.releaseOrRetry(attempt, 0));
  }

  /**
   * Releases in the background the key of an attempt that may have claimed it, or may do so when the
   * database responds again: its response was lost.
   */
  releaseUnacknowledged(attempt: Attempt): void {
    void this.releaseOrRetry(attempt, undefined);
  }

  /** Resolves after the first attempt. */
  private releaseOrRetry(attempt: Attempt, mayBeClaimedUntil: 0 | undefined): Promise<void> {
    const waiting: Waiting = { since: performance.now(), mayBeClaimedUntil };
    return this.run(async () => {
      if ((await this.retryReason(attempt, waiting)) === undefined) return;
      if (this.waiting.size >= MAX_WAITING) return;
      this.waiting.set(attempt, waiting);
      if (!this.isReleasing) void this.run(() => this.releaseWaiting());
    });
  }

  /** Tries to release a key. @returns why a further attempt is needed; undefined if none is */
  private async retryReason(attempt: Attempt, waiting: Waiting): Promise<RetryReason | undefined> {
    const outcome = await this.tryRelease(attempt);
    if (outcome === 'done') return undefined;
    if (outcome === 'absent') {
      const now = performance.now();
      const statementMs = this.statementTimeoutMs || MAX_MS;
      waiting.mayBeClaimedUntil ??= now + statementMs + CLAIM_MARGIN_MS;
      if (now >= waiting.mayBeClaimedUntil) return undefined;
    }
    return outcome;
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
      const isExpired =
        waiting.mayBeClaimedUntil === 0 && performance.now() >= waiting.since + MAX_MS;
      const outcome = isExpired ? undefined : await this.retryReason(attempt, waiting);
      if (outcome === 'unavailable') return;
      if (outcome === undefined) this.waiting.delete(attempt);
    }
  }

  private async tryRelease(attempt: Attempt): Promise<Outcome> {
    try {
      return (await attempt.release()) ? 'done' : 'absent';
    } catch (error) {
      if (isUnavailable(error)) return 'unavailable';
      this.logger.warn(`cannot release an Idempotency-Key: ${errorText(error)}`);
      return 'done';
    }
  }
}
