import { randomInt } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { writeError } from '../errors/error-body';
import { Overloaded } from '../errors/error-codes';
import { nextTurn, readLater } from './connection-backlog';
import { createRequestContext } from './request-context';

/** Minimum and maximum milliseconds between the arrival of a request and its refusal. */
const MIN_DELAY_MS = 300;
const MAX_DELAY_MS = 500;

/** Interval in which refusals are written. */
const TICK_MS = 10;

interface Refusal {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A pool of errors with different `Retry-After`: creating one is slower than writing it. */
const ERRORS = Array.from({ length: 20 }, () => new Overloaded());

/**
 * Writes refusals with a delay. Otherwise clients that retry at once would take the time for other
 * requests. The delays are random, so that clients that came together do not retry together.
 */
export class DelayedRefusals {
  /** Refusals by the tick in which they are due. */
  private readonly due = new Map<number, Refusal[]>();
  private tick = 0;

  /** @param since time of arrival */
  add(request: IncomingMessage, response: ServerResponse, since: number): void {
    if (this.due.size === 0) {
      this.tick = tickOf(performance.now());
      this.wait();
    }
    const tick = Math.max(tickOf(since + randomInt(MIN_DELAY_MS, MAX_DELAY_MS)), this.tick + 1);
    const refusals = this.due.get(tick);
    if (refusals) refusals.push({ request, response });
    else this.due.set(tick, [{ request, response }]);
  }

  private wait(): void {
    setTimeout(() => void this.writeDue(), TICK_MS);
  }

  /**
   * Writes what is due once the connections that wait are accepted: the clients that get a refusal
   * request again, and Node accepts one connection each time that it reads all requests.
   */
  private async writeDue(): Promise<void> {
    await nextTurn();
    const began = performance.now();
    const now = tickOf(began);
    let sliceEnd = began + TICK_MS;
    while (this.tick < now) {
      this.tick += 1;
      for (const { request, response } of this.due.get(this.tick) ?? []) {
        // Thousands of refusals take longer than others should wait.
        if (performance.now() > sliceEnd) {
          await nextTurn();
          sliceEnd = performance.now() + TICK_MS;
        }
        if (response.destroyed) continue;
        writeRefusal(request, response);
        readLater(request.socket);
      }
      this.due.delete(this.tick);
    }
    if (this.due.size > 0) this.wait();
  }
}

/** Number of the tick at a time. */
const tickOf = (time: number): number => Math.floor(time / TICK_MS);

/** Writes the refusal outside Express, which would take three times as long. */
function writeRefusal(request: IncomingMessage, response: ServerResponse): void {
  const context = createRequestContext(request);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Request-Id', context.id);
  response.setHeader('Access-Control-Allow-Origin', '*');
  writeError(context, response, ERRORS[randomInt(ERRORS.length)] ?? new Overloaded());
}
