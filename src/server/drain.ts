import { once } from 'node:events';
import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { type NextFunction, type Request, type Response } from 'express';
import { writeError } from '../api/errors/error-body';
import { ApiError } from '../api/errors/errors';
import { type ApiRequest } from '../api/http/request-context';
import { Connections } from './connections';

/** Milliseconds between looks for connections that have become idle. */
const SWEEP_MS = 50;
/** Milliseconds in which connections that wait in the backlog are accepted. */
const BACKLOG_MS = 1000;
/** Milliseconds that the body of a refused request gets to arrive. */
const BODY_MS = 1000;
/** Milliseconds that kept-alive connections get for one more request, after the lame-duck phase. */
const CLOSING_MS = 1000;

/** Seconds of the phases. */
export interface StopTimes {
  /** `LAME_DUCK_SECONDS` */
  readonly lameDuck: number;
  /** `DRAIN_SECONDS` */
  readonly drain: number;
}

type Phase = 'serving' | 'lame duck' | 'closing' | 'draining';

/** 999 with 503 (D5). It has no cause: stopping is no failure, and is not logged as one. */
const stopping = (): ApiError =>
  new ApiError('unknown', {
    status: 503,
    headers: { 'Retry-After': '2' },
    detail: 'the server is stopping, try again',
  });

/**
 * Stops servers in good order:
 *
 * 1. Lame duck: `/readyz` is 503, everything else is served, so that proxies have the time to send
 *    requests elsewhere.
 * 2. Closing: responses carry `Connection: close`, no new connections are accepted; requests are
 *    still served. It ends with the last connection, after a second at most.
 * 3. Drain: requests under way are finished, new ones are refused (D5).
 *
 * Without a lame-duck phase there is the drain alone.
 */
export class Drain {
  private phase: Phase = 'serving';
  private readonly servers: Server[] = [];
  private readonly connections = new Connections();
  private readonly hurried = new AbortController();

  /** @param closing milliseconds of the closing phase at most */
  constructor(private readonly closing = CLOSING_MS) {}

  /** Watches a server from before its first connection. */
  watch(server: Server): void {
    this.servers.push(server);
    this.connections.watch(server);
  }

  /** Stands between the context of a request and its route: refuses what comes too late. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    if (this.phase === 'serving') {
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
   * @returns false when there is no such phase to end, so that whoever asks wants the end now
   */
  hurry(): boolean {
    if (this.phase !== 'lame duck') return false;
    this.hurried.abort();
    return true;
  }

  /**
   * Goes through the phases.
   *
   * @returns false when requests took longer than the drain, and were cut off
   */
  async run({ lameDuck, drain }: StopTimes): Promise<boolean> {
    if (lameDuck > 0) {
      this.phase = 'lame duck';
      await elapsed(lameDuck * 1000, this.hurried.signal);
      this.phase = 'closing';
      this.connections.closeAfterResponses();
      const { closed } = await this.stopListening();
      await Promise.race([closed, elapsed(this.closing)]);
      return this.drain(closed, drain);
    }
    this.phase = 'draining';
    this.connections.closeAfterResponses();
    return this.drain((await this.stopListening()).closed, drain);
  }

  /**
   * Accepts the connections that the kernel has already completed, which it would reset otherwise,
   * and then no more.
   *
   * @returns when all connections are closed
   */
  private async stopListening(): Promise<{ closed: Promise<unknown> }> {
    const deadline = performance.now() + BACKLOG_MS;
    for (let before = -1; before !== this.connections.accepted && performance.now() < deadline;) {
      before = this.connections.accepted;
      // The event loop polls between two turns: what was readable has been accepted then.
      await turn();
      await turn();
    }
    return { closed: Promise.all(this.servers.map(closeServer)) };
  }

  private async drain(closed: Promise<unknown>, seconds: number): Promise<boolean> {
    this.phase = 'draining';
    const since = performance.now();
    const sweep = setInterval(() => {
      this.connections.closeIdle(since);
    }, SWEEP_MS);
    this.connections.closeIdle(since);
    const inTime = await Promise.race([closed.then(() => true), elapsed(seconds * 1000)]);
    clearInterval(sweep);
    if (inTime !== true) this.connections.destroyAll();
    return inTime === true;
  }
}

/** Stops listening. Unlike the HTTP server's own method it leaves idle connections open. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });

/** Waits for some time, or until the signal. */
const elapsed = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

/** Answers with 503 when the body has arrived: a socket closed with unread data is reset. */
async function refuse(request: ApiRequest, response: Response): Promise<void> {
  if (!request.complete) {
    const read = once(request.resume(), 'close').catch(() => undefined);
    await Promise.race([read, elapsed(BODY_MS)]);
  }
  if (!response.destroyed) writeError(request.context, response, stopping());
}
