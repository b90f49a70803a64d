import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/settings';
import { ACCEPT_MS, acceptedConnections, takeWaited } from './connection-backlog';
import { DelayedRefusals } from './delayed-refusals';
import { addressOf, limitKeyOf } from './client-address';
import { copyString } from './copy-string';
import { RefusalLog } from './refusal-log';
import { RoundRobin } from './round-robin';
import { siteOf } from './client-networks';

/** Milliseconds for which requests are started before the event loop polls again. */
const SLICE_MS = 10;

/**
 * Maximum milliseconds that a turn of the event loop counts. After a pause or a long task the
 * process catches up instead of refusing the requests that arrived meanwhile.
 */
const TURN_MS = 100;

/** Milliseconds after which the rate of starts predicts how long requests will wait. */
const RATE_MS = 200;

/** Milliseconds for which requests similar to one that met a full queue are refused. */
const BUSY_MS = 250;

/** Maximum number of paths stored as busy. */
const BUSY_PATHS = 1000;

/** Paths of the probes. Load balancers remove or restart a process that refuses them. */
const PROBES: readonly unknown[] = ['/healthz', '/readyz'];

/**
 * Maximum number of probes of a turn of the event loop that start at once. More are a flood, and
 * wait like other requests.
 */
const MAX_PROBES = 5;

/** Requests that differ only in numeric ids have the same key. */
const keyOf = (method: string, path: string): string =>
  `${method} ${path.slice(0, 100).replace(/\d+/g, '#')} `;

/** Decides whether and when a request is started. */
export type Gate = (request: IncomingMessage, response: ServerResponse, begin: () => void) => void;

/** A request that waits to be started. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
  readonly since: number;
  /** The clock of {@link Overload} when the request arrived, and its connection if it is new. */
  readonly clock: number;
}

/**
 * Decides when requests are started, and refuses them early when the process is overloaded:
 *
 * - Requests are started in slices of {@link SLICE_MS}, so that connections are accepted, timers
 *   run and database responses are read in between. IPv4 addresses and IPv6 networks take turns. A
 *   request that waits too long, or would at the current rate, is refused: first those of the
 *   addresses with most waiting requests.
 * - When a request meets a full queue for database connections, similar requests are refused for
 *   {@link BUSY_MS}: those of its client if only the client's share is full.
 *
 * A refusal here is much cheaper than one by the queue for database connections, which comes after
 * routing, access checks and limits.
 */
@Injectable()
export class Overload {
  private readonly logger = new Logger(Overload.name);
  /** By the client's address, or its IPv6 network of 48 bits. */
  private readonly waiting = new RoundRobin<Waiting>();
  /** Number of probes in the current turn of the event loop. */
  private probes = 0;
  /** Start of the slice in the current turn of the event loop. */
  private sliceSince: number | undefined;
  private accepted = 0;
  private readonly refusals = new DelayedRefusals();
  private begunAt = 0;
  /** Total milliseconds of turns with waiting requests; see {@link TURN_MS}. */
  private clock = 0;
  private turnAt = 0;
  /** Value of the clock when {@link started} was 0. */
  private rateSince = 0;
  /** Number of requests taken from the queue in time in the current {@link RATE_MS}. */
  private started = 0;
  private readonly busyUntil = new LRUCache<string, number>({ max: BUSY_PATHS });
  private readonly log = new RefusalLog((refused) => {
    this.logger.warn(`overload: rejected ${refused} requests`);
  });
  private count = 0;
  private readonly maxWaitMs: number;

  private readonly trustedProxies: number;

  constructor({ REQUEST_QUEUE_TIMEOUT_MS, TRUSTED_PROXIES }: Settings) {
    this.maxWaitMs = REQUEST_QUEUE_TIMEOUT_MS;
    this.trustedProxies = TRUSTED_PROXIES;
  }

  /** Number of requests refused since the process started. */
  get refused(): number {
    return this.count;
  }

  /**
   * Call it when a request met a full queue for database connections.
   *
   * @param addressKey of its client, if only the share of the client was full; undefined if others
   *   cannot be served either. An empty key is that of no client, so that nothing is refused.
   */
  queueWasFull(
    { method, path }: { readonly method: string; readonly path: string },
    addressKey: string | undefined,
  ): void {
    if (addressKey === '') return;
    const key = copyString(keyOf(method, path) + (addressKey ?? ''));
    this.busyUntil.set(key, performance.now() + BUSY_MS);
  }

  /**
   * Starts a request now or later, or refuses it with 999 and 503 (D5).
   *
   * @param begin handles the request
   */
  readonly gate: Gate = (request, response, begin) => {
    const now = performance.now();
    const sliceSince = this.openSlice(now);
    // The first request of a connection may have waited to be read.
    const waited = takeWaited(request.socket);
    const since = now - waited;
    if (PROBES.includes(request.url) && (this.probes += 1) <= MAX_PROBES) {
      begin();
      return;
    }
    if (this.isBusy(request, now)) {
      this.refuse(request, response, since);
      return;
    }
    if (this.waiting.length === 0 && now < sliceSince + SLICE_MS) {
      this.begunAt = now;
      begin();
    } else {
      if (this.waiting.length === 0) {
        this.turnAt = now;
        this.rateSince = this.clock;
        this.started = 0;
      }
      // The client of a new connection need not have sent its request at once.
      const clock = this.clock - Math.min(waited, this.maxWaitMs / 2);
      this.waiting.push(siteOf(this.addressKeyOf(request)), {
        request,
        response,
        begin,
        since,
        clock,
      });
    }
  };

  /** Begins a slice if the turn of the event loop has none. @returns its start */
  private openSlice(now: number): number {
    if (this.sliceSince === undefined) {
      this.sliceSince = now;
      this.probes = 0;
      setImmediate(this.beginWaiting);
    }
    return this.sliceSince;
  }

  private readonly beginWaiting = (): void => {
    const now = performance.now();
    this.sliceSince = undefined;
    if (this.waiting.length === 0) return;
    this.openSlice(now);
    this.clock += Math.min(now - this.turnAt, TURN_MS);
    this.turnAt = now;
    const accepted = acceptedConnections();
    const isAccepting = accepted !== this.accepted;
    this.accepted = accepted;
    if (isAccepting && now < this.begunAt + ACCEPT_MS) return;
    this.begunAt = now;
    this.beginNext(now + SLICE_MS);
  };

  /**
   * Starts the next waiting request, and further ones until the end of the slice. The microtasks
   * of each request run before the next one starts, so that the slice includes their time.
   */
  private beginNext(sliceEnd: number): void {
    const now = performance.now();
    const isEnded = (one: Waiting): boolean => this.endIfUseless(one, now);
    const next = now > sliceEnd ? undefined : this.waiting.shift(isEnded);
    if (!next) {
      this.refuseExcess();
      return;
    }
    this.started += 1;
    next.begin();
    queueMicrotask(() => {
      process.nextTick(() => {
        this.beginNext(sliceEnd);
      });
    });
  }

  /** Refuses a request that is late, or whose path is busy. @returns whether it has a response */
  private endIfUseless({ request, response, since, clock }: Waiting, now: number): boolean {
    if (response.destroyed) return true;
    const isLate = this.clock > clock + this.maxWaitMs;
    if (!isLate && !this.isBusy(request, now)) return false;
    this.refuse(request, response, since);
    return true;
  }

  /** Refuses the latest requests of the clients with most, if they would wait too long. */
  private refuseExcess(): void {
    const elapsed = this.clock - this.rateSince;
    if (elapsed < RATE_MS) return;
    const maxWaiting = Math.max(1, Math.ceil((this.started / elapsed) * this.maxWaitMs));
    for (const { request, response, since } of this.waiting.removeExcess(maxWaiting)) {
      this.refuse(request, response, since);
    }
    this.rateSince = this.clock;
    this.started = 0;
  }

  private isBusy(request: IncomingMessage, now: number): boolean {
    if (this.busyUntil.size === 0) return false;
    const { method = '', url = '' } = request;
    const mark = url.indexOf('?');
    const key = keyOf(method, mark < 0 ? url : url.slice(0, mark));
    if (this.isKeyBusy(key, now)) return true;
    return this.isKeyBusy(key + this.addressKeyOf(request), now);
  }

  /** Limit key of the client's address. */
  private addressKeyOf(request: IncomingMessage): string {
    return limitKeyOf(addressOf(request, this.trustedProxies));
  }

  private isKeyBusy(key: string, now: number): boolean {
    const until = this.busyUntil.get(key);
    if (until === undefined || now < until) return until !== undefined;
    this.busyUntil.delete(key);
    return false;
  }

  private refuse(request: IncomingMessage, response: ServerResponse, since: number): void {
    this.count += 1;
    this.log.count();
    this.refusals.add(request, response, since);
  }
}
