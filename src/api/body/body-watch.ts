import { type IncomingMessage } from 'node:http';
import { malformed, type ApiError } from '../errors/error-codes';
import { mayHaveUnread } from '../http/read-connection';

/** Milliseconds between two ticks of the clock of an arriving body. */
const TICK_MS = 1000;

/** How a body must arrive: `MIN_BODY_RATE` and `MIN_BODY_RATE_SECONDS`. */
export interface BodyPace {
  /** Bytes per second; 0 means no minimum. */
  readonly rate: number;
  /** Seconds over which the rate is measured. */
  readonly seconds: number;
}

/** Checks the number of bytes of a body that have arrived. @returns why it is rejected */
export type SizeCheck = (size: number) => ApiError | undefined;

/** Rejects a body with more bytes than a limit. */
export const checkLimit =
  (limit: number): SizeCheck =>
  (size) =>
    size > limit ? malformed('the body is too large') : undefined;

/**
 * Stops reading a body that is too large (multer only limits single fields) or that arrives too
 * slowly.
 *
 * @param check receives the number of bytes that have arrived
 * @param fail called once, with error 999
 * @returns a function that ends the watch, and is idempotent
 */
export function watchBody(
  request: IncomingMessage,
  { rate, seconds }: BodyPace,
  check: SizeCheck,
  fail: (error: ApiError) => void,
): () => void {
  let size = 0;
  let ticks = 0;
  let sizeBefore = 0;
  const stop = (): void => {
    request.off('data', count);
    clearInterval(clock);
  };
  const refuse = (error: ApiError): void => {
    stop();
    request.unpipe();
    // Discards the remaining body, so that the client can read the response.
    request.resume();
    fail(error);
  };
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    const error = check(size);
    if (error) refuse(error);
  };
  // Counts ticks instead of time: data that arrives while the process is busy is read before the
  // next tick.
  const clock = setInterval(() => {
    // The body is complete, or this process does not read it: until the disk has written, for
    // example, or until the turn of the connection.
    if (request.complete || request.isPaused() || mayHaveUnread(request.socket)) return;
    ticks += 1;
    if (ticks < seconds) return;
    if (size - sizeBefore < rate * seconds) {
      refuse(malformed('the body arrives too slowly'));
      return;
    }
    ticks = 0;
    sizeBefore = size;
  }, TICK_MS);
  request.on('data', count);
  return stop;
}
