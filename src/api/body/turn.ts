import { type Response } from 'express';
import { malformed, unavailable } from '../errors/error-codes';
import { type ClientPresence } from '../http/client-presence';
import { currentRequest } from '../http/current-request';

/** Milliseconds that a completely received request waits to be processed. */
export const WAIT_MS = 60_000;

/**
 * Waits for a turn, until the client leaves or the time limit passes.
 *
 * @param reason why the time limit passed, for the log
 * @throws ApiError 999; status 503 after the time limit
 */
export async function waitForTurn(
  response: Response,
  milliseconds: number,
  reason: string,
  take: (gone: AbortSignal) => Promise<() => void>,
): Promise<() => void> {
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort(malformed('the body ended early'));
  };
  const timer = setTimeout(() => {
    gone.abort(unavailable(new Error(reason)));
  }, milliseconds);
  response.once('close', leave);
  if (response.destroyed) leave();
  return take(gone.signal).finally(() => {
    clearTimeout(timer);
    response.off('close', leave);
  });
}

/** @throws ApiError 999 with 503 when the client of the current request has left */
export function requirePresence(): void {
  if (currentRequest()?.presence.hasLeft === true) throw unavailable(undefined);
}

/** The time that a request may wait for its turns, in total. */
export class WaitingTime {
  /**
   * @param presence undefined for background work
   * @param left milliseconds
   * @param recheck checks the access of the caller again
   */
  constructor(
    private readonly presence?: ClientPresence,
    private left = WAIT_MS,
    private readonly recheck?: () => Promise<void>,
  ) {}

  private hasWaited = false;

  /** Why it was ended. */
  private ended: Error | undefined;
  private giveUp: ((reason: Error) => void) | undefined;

  /** Ends the current wait, and all later ones, with an error. */
  end(reason: Error): void {
    this.ended ??= reason;
    this.giveUp?.(this.ended);
  }

  /** A new one for the current request, or for background work. */
  static ofCurrentRequest(): WaitingTime {
    const request = currentRequest();
    return new WaitingTime(request?.presence, WAIT_MS, request?.recheckAccess);
  }

  /**
   * Call it after the waits, before a write: the rights of the caller may have been withdrawn
   * meanwhile (D13).
   * @throws ApiError like the guards
   */
  async recheckAccess(): Promise<void> {
    if (this.hasWaited) await this.recheck?.();
  }

  /**
   * Waits for a turn, until the client leaves or the time is over. It has a timer of its own: on
   * Node 20, `AbortSignal.any` loses signals of `AbortSignal.timeout` (nodejs/node#57736).
   *
   * @throws ApiError 999 with 503
   */
  async wait<T>(take: (gone: AbortSignal) => Promise<T>): Promise<T> {
    const { presence } = this;
    const gone = new AbortController();
    const giveUp = (): void => {
      gone.abort(unavailable(undefined));
    };
    if (this.ended) throw this.ended;
    this.hasWaited = true;
    this.giveUp = (reason) => {
      gone.abort(reason);
    };
    const since = performance.now();
    const timer = setTimeout(giveUp, Math.max(0, this.left)).unref();
    if (presence?.hasLeft === true) giveUp();
    else presence?.onLeave(giveUp);
    try {
      return await take(gone.signal);
    } finally {
      this.giveUp = undefined;
      this.left -= performance.now() - since;
      clearTimeout(timer);
      presence?.offLeave(giveUp);
    }
  }
}
