import { randomInt } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { errorBody } from '../errors/error-body';
import { Overloaded } from '../errors/errors';
import { renderBody, createRequestContext, PROBLEM_TYPE } from './request-context';

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
  /** Connections that were accepted since refusals were last written. */
  private accepted = 0;

  /** Call it when a connection was accepted: many in a row mean that more are waiting. */
  connectionAccepted(): void {
    this.accepted += 1;
  }

  /** @param since time of arrival */
  add(request: IncomingMessage, response: ServerResponse, since: number): void {
    this.pending.push({ request, response, since });
    if (this.pending.length === 1) setTimeout(this.writeDue, TICK_MS);
  }

  private readonly writeDue = (): void => {
    const now = performance.now();
    const maxSince = now - (this.accepted >= MANY_CONNECTIONS ? HELD_MS : DELAY_MS);
    this.accepted = 0;
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

/** Writes the standard error body. Through Express this would take three times as long. */
function writeRefusal(request: IncomingMessage, response: ServerResponse): void {
  const context = createRequestContext(request);
  const error = ERRORS[randomInt(ERRORS.length)] ?? new Overloaded();
  const type = context.problem ? PROBLEM_TYPE : undefined;
  const { body, contentType } = renderBody(context, errorBody(context, error), type);
  response.writeHead(error.status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': context.id,
    'X-Error-Detail': error.detail,
    'Access-Control-Allow-Origin': '*',
    Vary: 'Accept',
    ...error.headers,
  });
  response.end(body);
}
