import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorText } from '../errors/error-text';
import { detached } from '../http/current-request';
import { isUnavailable, LAST_ATTEMPTS_MS, waitForFirstAttempt } from './first-attempt';
import { type Attempt, type IdempotentResponse } from './idempotency';

/** Milliseconds before each further attempt to store a response. */
const PAUSES_MS = [100, 300, 1000, 3000, 10_000, 15_000];

/** Milliseconds after which no further attempt begins. A key counts as executed after a minute. */
const MAX_MS = 35_000;

/** Maximum number of responses of a process that wait for a further attempt. */
const MAX_WAITING = 100;

/**
 * Stores responses for repeats of their requests (D91). A committed write must be acknowledged even
 * if its response cannot be stored at once: otherwise the client would repeat it, and find a key
 * without a response.
 */
export class ResponseStorage {
  private readonly logger = new Logger(ResponseStorage.name);
  /** First attempts that are running. */
  private readonly first = new Set<Promise<void>>();
  /** Responses that wait for a further attempt. */
  private readonly waiting = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor() {
    // Node 20 warns of more than ten.
    setMaxListeners(MAX_WAITING, this.stopping.signal);
  }

  private readonly report = (error: unknown): void => {
    this.logger.warn(`the response of an Idempotency-Key is not stored: ${errorText(error)}`);
  };

  /**
   * Stores a response. If the database is unavailable or slow, storing continues in the background
   * for half a minute. It never fails; a response that is not stored is logged.
   */
  async store(attempt: Attempt, response: IdempotentResponse): Promise<void> {
    const since = performance.now();
    // Not part of the request: it must not wait in the queue of its area, nor end with its client.
    const storing = detached(() => this.storeOrRetry(attempt, response, since))
      .catch(this.report)
      .finally(() => this.first.delete(storing));
    this.first.add(storing);
    await waitForFirstAttempt(storing);
  }

  /** Resolves when the response is stored, or when a further attempt waits. */
  private async storeOrRetry(
    attempt: Attempt,
    response: IdempotentResponse,
    since: number,
  ): Promise<void> {
    if (await this.tryStore(attempt, response)) return;
    if (this.waiting.size >= MAX_WAITING) throw new Error('too many responses wait');
    const retrying = this.retry(attempt, response, since)
      .catch(this.report)
      .finally(() => this.waiting.delete(retrying));
    this.waiting.add(retrying);
  }

  /**
   * Waits for running attempts, and makes the last ones for the responses that wait, before the
   * service stops.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.finish(), pause(LAST_ATTEMPTS_MS, undefined, { ref: false })]);
  }

  private async finish(): Promise<void> {
    // A first attempt that fails leads to another one.
    while (this.first.size > 0 || this.waiting.size > 0)
      await Promise.all([...this.first, ...this.waiting]);
  }

  private async retry(
    attempt: Attempt,
    response: IdempotentResponse,
    since: number,
  ): Promise<void> {
    const { signal } = this.stopping;
    for (const milliseconds of PAUSES_MS) {
      await pause(milliseconds, undefined, { ref: false, signal }).catch(() => undefined);
      if (performance.now() > since + MAX_MS) break;
      if (await this.tryStore(attempt, response)) return;
      if (signal.aborted) break;
    }
    throw new Error('the database is unavailable');
  }

  /** @returns whether it succeeded @throws an error that another attempt would meet, too */
  private async tryStore(attempt: Attempt, response: IdempotentResponse): Promise<boolean> {
    try {
      await attempt.storeResponse(response);
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }
}
