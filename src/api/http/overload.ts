import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ACCEPT_MS, acceptedConnections, watchAccepting } from './accepting';
import { DelayedRefusals } from './delayed-refusals';

/** Milliseconds for which requests are begun before the event loop polls again. */
const SLICE_MS = 10;

/** Milliseconds that a request waits to be begun at most; see {@link TURN_MS}. */
const MAX_WAIT_MS = 750;

/**
 * Milliseconds that one turn of the event loop counts as at most: a process that was stopped, or that
 * did one long piece of work, catches up rather than refuses what arrived meanwhile.
 */
const TURN_MS = 50;

/** Milliseconds for which requests are refused that resemble one for which the queue was full. */
const BUSY_MS = 250;

/** Paths that are remembered as busy. */
const BUSY_PATHS = 1000;

/** Milliseconds between two log lines about refused requests. */
const LOG_MS = 60_000;

/** The probe of operators: a process that refuses it would be taken out of service. */
const READINESS = '/readyz';

/** Requests for records of one type, whose ids are numbers, have the same key. */
const keyOf = (method: string, path: string): string =>
  `${method} ${path.slice(0, 100).replace(/\d+/g, '#')}`;

/** Decides whether and when a request is begun. */
export type Gate = (request: IncomingMessage, response: ServerResponse, begin: () => void) => void;

/** A request that waits to be begun. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
  readonly since: number;
  /** Of {@link Overload} when the request came. */
  readonly clock: number;
}

/**
 * Decides when requests are begun, and refuses them early when more arrive than the process can
 * serve:
 *
 * - Requests are begun in slices of {@link SLICE_MS}, so that connections are accepted, timers run
 *   and responses of the database are read meanwhile. A request that waits too long is refused.
 * - When the queue for connections of the database was full for a request, those that resemble it
 *   are refused for a moment.
 *
 * A refusal here costs a small part of one by the queue for connections, which stands behind
 * routing, access and limits.
 */
@Injectable()
export class Overload {
  private readonly logger = new Logger(Overload.name);
  private readonly waiting: Waiting[] = [];
  /** Since when requests are begun in the current turn of the event loop. */
  private sliceSince: number | undefined;
  private accepted = 0;
  private readonly refusals = new DelayedRefusals();
  private begunAt = 0;
  /** Milliseconds that turns with waiting requests have lasted, see {@link TURN_MS}. */
  private clock = 0;
  private turnAt = 0;
  private readonly busyUntil = new LRUCache<string, number>({ max: BUSY_PATHS });
  private unlogged = 0;
  private loggedAt = -Infinity;
  private count = 0;

  /** Requests that were refused since the process started. */
  get refused(): number {
    return this.count;
  }

  /** Watches the connections of a server. */
  watch(server: Server): void {
    watchAccepting(server);
    server.on('connection', () => {
      this.refusals.hold();
    });
  }

  /** To be called when the queue for connections of the database was full for a request. */
  queueWasFull({ method, path }: { readonly method: string; readonly path: string }): void {
    this.busyUntil.set(keyOf(method, path), performance.now() + BUSY_MS);
  }

  /**
   * Begins a request now or later, or refuses it with 999 and 503 (D5).
   *
   * @param begin handles the request
   */
  readonly gate: Gate = (request, response, begin) => {
    const now = performance.now();
    if (this.isBusy(request, now)) {
      this.refuse(request, response, now);
      return;
    }
    if (this.sliceSince === undefined) {
      this.sliceSince = now;
      setImmediate(this.beginWaiting);
    }
    const isFirst = this.waiting.length === 0 && now < this.sliceSince + SLICE_MS;
    if (isFirst || request.url === READINESS) {
      this.begunAt = now;
      begin();
    } else {
      if (this.waiting.length === 0) this.turnAt = now;
      this.waiting.push({ request, response, begin, since: now, clock: this.clock });
    }
  };

  private readonly beginWaiting = (): void => {
    const now = performance.now();
    this.sliceSince = undefined;
    if (this.waiting.length === 0) return;
    this.sliceSince = now;
    setImmediate(this.beginWaiting);
    this.clock += Math.min(now - this.turnAt, TURN_MS);
    this.turnAt = now;
    const accepted = acceptedConnections();
    const isAccepting = accepted !== this.accepted;
    this.accepted = accepted;
    if (isAccepting && now < this.begunAt + ACCEPT_MS) return;
    this.begunAt = now;
    let begun = 0;
    for (const { request, response, begin, since, clock } of this.waiting) {
      const at = performance.now();
      if (at > now + SLICE_MS) break;
      begun += 1;
      if (response.destroyed) continue;
      const isLate = this.clock > clock + MAX_WAIT_MS;
      if (isLate || this.isBusy(request, at)) this.refuse(request, response, since);
      else begin();
    }
    this.waiting.splice(0, begun);
  };

  private isBusy({ method = '', url = '' }: IncomingMessage, now: number): boolean {
    if (this.busyUntil.size === 0) return false;
    const mark = url.indexOf('?');
    const key = keyOf(method, mark < 0 ? url : url.slice(0, mark));
    const until = this.busyUntil.get(key);
    if (until === undefined || now < until) return until !== undefined;
    this.busyUntil.delete(key);
    return false;
  }

  private refuse(request: IncomingMessage, response: ServerResponse, since: number): void {
    this.log();
    this.refusals.add(request, response, since);
  }

  private log(): void {
    this.count += 1;
    this.unlogged += 1;
    const now = performance.now();
    if (now - this.loggedAt < LOG_MS) return;
    this.logger.warn(`overload: ${this.unlogged} requests were refused`);
    this.loggedAt = now;
    this.unlogged = 0;
  }
}
