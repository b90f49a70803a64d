import { once } from 'node:events';
import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type NextFunction, type Request, type Response } from 'express';
import { writeError } from '../api/errors/error-body';
import { ApiError } from '../api/errors/error-codes';
import { waitingConnections } from '../api/http/fair-accepting';
import { type ApiRequest } from '../api/http/request-context';
import { acceptBacklog } from './accept-backlog';
import { Connections } from './connections';

/** Milliseconds between checks for idle connections. */
const SWEEP_MS = 50;
/** Maximum milliseconds for accepting the connections in the backlog. */
const BACKLOG_MS = 3000;
/** Milliseconds in which the body of a rejected request must arrive. */
const BODY_MS = 1000;
/** Milliseconds that keep-alive connections have for one more request after the lame-duck phase. */
const CLOSING_MS = 1000;
/** Fraction of the drain after which running requests stop waiting for other services. */
const WAITING_PART = 0.8;
/** A process that retires gives them this many times as long: its successor serves already. */
const RETIRING_FACTOR = 3;

/** Lengths of the phases in seconds. */
export interface StopTimes {
  /** `LAME_DUCK_SECONDS` */
  readonly lameDuck: number;
  /** `DRAIN_SECONDS` */
  readonly drain: number;
}

type Phase = 'serving' | 'lame duck' | 'closing' | 'draining' | 'retiring';

/** 999 with 503 (D5). It has no cause, because a shutdown is not logged as a failure. */
const stopping = (): ApiError =>
  new ApiError('unknown', {
    status: 503,
    headers: { 'Retry-After': '2' },
    detail: 'the server is stopping; retry the request',
  });

/**
 * Stops servers gracefully:
 *
 * 1. Lame duck: `/readyz` responds 503 and all else is served, so that proxies have time to send
 *    requests elsewhere.
 * 2. Closing: responses have `Connection: close` and no new connections are accepted, but requests
 *    are still served. It ends with the last connection, or after a second.
 * 3. Drain: running requests are finished, new ones are rejected (D5).
 *
 * Without a lame-duck phase there is only the drain. {@link Drain.retire} is for one of several
 * processes on the same port: the service stays ready, and no request is rejected.
 */
export class Drain {
  private phase: Phase = 'serving';
  private readonly servers: Server[] = [];
  private readonly connections = new Connections();
  private readonly hurried = new AbortController();
  /**
   * Runs when most of the drain has passed: requests that wait for another service should fail now,
   * so that their clients get a response.
   */
  beforeAbort: () => void = () => undefined;

  /**
   * @param closing maximum length of the closing phase in milliseconds
   * @param beforeClosing runs before it stops listening, unless it retires
   */
  constructor(
    private readonly closing = CLOSING_MS,
    private readonly beforeClosing?: () => Promise<unknown>,
  ) {}

  /** Whether no phase of the stop has begun. */
  get isServing(): boolean {
    return this.phase === 'serving';
  }

  /** Tracks a server; call it before the server's first connection. */
  watch(server: Server): void {
    this.servers.push(server);
    this.connections.watch(server);
  }

  /** Runs between request context and route: rejects requests that arrive too late. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    if (this.phase === 'serving' || this.phase === 'retiring') {
      next();
    } else if (this.phase === 'draining') {
      void refuse(request as ApiRequest, response);
    } else if ((request as ApiRequest).context.path === '/readyz') {
      writeError((request as ApiRequest).context, response, stopping());
    } else {
      next();
    }
  };

  /**
   * Ends the lame-duck phase early.
   *
   * @returns false in any other phase, where a second signal means an immediate stop
   */
  hurry(): boolean {
    if (this.phase !== 'lame duck') return false;
    this.hurried.abort();
    return true;
  }

  /** Closes all connections; running requests get no response. */
  abort(): void {
    this.connections.destroyAll();
  }

  /**
   * Runs the phases.
   *
   * @returns false when requests took longer than the drain and were aborted
   */
  async run({ lameDuck, drain }: StopTimes): Promise<boolean> {
    if (lameDuck > 0) {
      this.phase = 'lame duck';
      await elapsed(lameDuck * 1000, this.hurried.signal);
      this.phase = 'closing';
      this.connections.closeAfterResponses();
      await this.beforeClosing?.();
      const { closed } = await this.stopListening();
      await Promise.race([closed, elapsed(this.closing)]);
      return this.drain(closed, drain);
    }
    this.phase = 'draining';
    this.connections.closeAfterResponses();
    await this.beforeClosing?.();
    return this.drain((await this.stopListening()).closed, drain);
  }

  /**
   * Leaves the port to other processes: it accepts no new connections, and serves every request on
   * the existing ones. Idle connections are closed after some seconds.
   *
   * @param drain seconds for running requests, `DRAIN_SECONDS`
   * @returns false when requests took longer and were aborted
   */
  async retire(drain: number): Promise<boolean> {
    this.phase = 'retiring';
    this.connections.closeAfterResponses();
    const { closed } = await this.stopListening();
    await Promise.race([closed, elapsed(this.closing * RETIRING_FACTOR)]);
    return this.drainConnections(closed, drain);
  }

  /**
   * Accepts the connections that the kernel has completed, which it would otherwise reset, and then
   * stops listening. The kernel resets those that it completes between the last poll and the close.
   *
   * @returns a promise for the end of all connections
   */
  private async stopListening(): Promise<{ closed: Promise<unknown> }> {
    const deadline = performance.now() + BACKLOG_MS;
    const someWait = (): boolean => this.servers.some((server) => waitingConnections(server) > 0);
    await acceptBacklog(() => this.connections.accepted, deadline, someWait);
    return { closed: Promise.all(this.servers.map(closeServer)) };
  }

  private drain(closed: Promise<unknown>, seconds: number): Promise<boolean> {
    this.phase = 'draining';
    return this.drainConnections(closed, seconds);
  }

  private async drainConnections(closed: Promise<unknown>, seconds: number): Promise<boolean> {
    const since = performance.now();
    const sweep = setInterval(() => {
      this.connections.closeIdle(since);
    }, SWEEP_MS);
    this.connections.closeIdle(since);
    const late = setTimeout(
      () => {
        this.beforeAbort();
      },
      seconds * WAITING_PART * 1000,
    ).unref();
    const inTime = await Promise.race([closed.then(() => true), elapsed(seconds * 1000)]);
    clearInterval(sweep);
    clearTimeout(late);
    if (inTime !== true) this.connections.destroyAll();
    return inTime === true;
  }
}

/** Stops listening. Unlike the method of the HTTP server it leaves idle connections open. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });

/** Waits for a time, or until the signal is aborted. */
const elapsed = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

/** Responds 503 after the body has arrived: the kernel resets a socket with unread data. */
async function refuse(request: ApiRequest, response: Response): Promise<void> {
  if (!request.complete) {
    const read = once(request.resume(), 'close').catch(() => undefined);
    await Promise.race([read, elapsed(BODY_MS)]);
  }
  if (!response.destroyed) writeError(request.context, response, stopping());
}
