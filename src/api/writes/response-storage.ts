import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../errors/error-codes';
import { detached } from '../http/current-request';
import { type Attempt, type IdempotentResponse } from './idempotency';

/** Milliseconds before each further attempt to store a response. */
const PAUSES_MS = [100, 300, 1000, 3000, 10_000, 15_000];

/** Maximum number of responses of a process that wait for a further attempt. */
const MAX_WAITING = 100;

/** Whether the database could not be used, so that the same statement may succeed later. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 503;

/**
 * Stores responses of committed writes for repeats of the requests (D91). The write must be
 * acknowledged although the database is busy meanwhile: otherwise the client would repeat it, and
 * find a key without a response.
 */
export class ResponseStorage {
  private waiting = 0;

  /**
   * Stores a response, or continues to try in the background for half a minute.
   *
   * @throws what storing throws, except that the database is unavailable
   */
  store(attempt: Attempt, response: IdempotentResponse): Promise<void> {
    // Not part of the request: it must not wait in the queue of its area, nor end with its client.
    return detached(async () => {
      if (await this.tryTo(attempt, response)) return;
      if (this.waiting >= MAX_WAITING) return;
      this.waiting += 1;
      void this.repeat(attempt, response)
        // The response is lost; repeats of the request are told.
        .catch(() => undefined)
        .finally(() => {
          this.waiting -= 1;
        });
    });
  }

  private async repeat(attempt: Attempt, response: IdempotentResponse): Promise<void> {
    for (const milliseconds of PAUSES_MS) {
      await pause(milliseconds, undefined, { ref: false });
      if (await this.tryTo(attempt, response)) return;
    }
  }

  private async tryTo(attempt: Attempt, response: IdempotentResponse): Promise<boolean> {
    try {
      await attempt.storeResponse(response);
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }
}
