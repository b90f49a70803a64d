import { randomInt } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { writeError } from '../errors/error-body';
import { Overloaded } from '../errors/errors';
import { acceptedConnections } from './accepting';
import { createRequestContext } from './request-context';

/** Minimum and maximum milliseconds between a request and its refusal. */
const DELAY_MS = 300;
const MAX_DELAY_MS = 500;

/** The minimum while many new connections are accepted, and how many these are in a tick. */
const HELD_MS = 1500;
const MANY_CONNECTIONS = 4;

/** Interval in which refusals are written, and the number written each time. */
const TICK_MS = 10;
const PER_TICK = 50;

interface Refusal {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/** A pool of errors with different `Retry-After`: creating one is slower than writing it. */
const ERRORS = Array.from({ length: 20 }, () => new Overloaded());

/**
 * Writes refusals with a delay. Otherwise clients that retry at once would take the time for other
 * requests and for new connections, of which Node accepts one per poll of the event loop.
 */
export class DelayedRefusals {
  /** Approximately in the order of arrival. */
  private readonly pending: Refusal[] = [];
  /** Connections accepted when refusals were last written: many new ones mean that more wait. */
  private acceptedBefore = 0;

  /** @param since time of arrival */
  add(request: IncomingMessage, response: ServerResponse, since: number): void {
    this.pending.push({ request, response, since });
    if (this.pending.length === 1) setTimeout(this.writeDue, TICK_MS);
  }

  private readonly writeDue = (): void => {
    const now = performance.now();
    const accepted = acceptedConnections();
    const isAccepting = accepted >= this.acceptedBefore + MANY_CONNECTIONS;
    this.acceptedBefore = accepted;
    const maxSince = now - (isAccepting ? HELD_MS : DELAY_MS);
    let written = 0;
    for (const { request, response, since } of this.pending) {
      if (since > maxSince || (written >= PER_TICK && since > now - MAX_DELAY_MS)) break;
      written += 1;
      if (!response.destroyed) writeRefusal(request, response);
    }
    this.pending.splice(0, written);
    if (this.pending.length > 0) setTimeout(this.writeDue, TICK_MS);
  };
}

/** Writes the refusal outside Express, which would take three times as long. */
function writeRefusal(request: IncomingMessage, response: ServerResponse): void {
  const context = createRequestContext(request);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Request-Id', context.id);
  response.setHeader('Access-Control-Allow-Origin', '*');
  writeError(context, response, ERRORS[randomInt(ERRORS.length)] ?? new Overloaded());
}
