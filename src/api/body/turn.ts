import { type Response } from 'express';
import { malformed, unavailable } from '../errors/error-codes';

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
