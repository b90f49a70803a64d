import { type IncomingMessage } from 'node:http';
import { malformed, type ApiError } from '../errors/errors';

/** Milliseconds between two ticks of the clock of a body that arrives. */
const TICK_MS = 1000;

/** How a body must arrive: `MIN_BODY_RATE` and `MIN_BODY_RATE_SECONDS`. */
export interface BodyPace {
  /** Bytes a second; 0 is no minimum. */
  readonly rate: number;
  /** Seconds over which the rate is measured. */
  readonly seconds: number;
}

/**
 * Watches a body that is being read, and ends the reading when it becomes too large (multer limits
 * single fields only), or arrives so slowly that its connection is not worth its place.
 *
 * @param isTooLarge told the bytes that have arrived
 * @param fail called once, with error 999
 * @returns what ends the watch; calling it again does nothing
 */
export function watchBody(
  request: IncomingMessage,
  { rate, seconds }: BodyPace,
  isTooLarge: (size: number) => boolean,
  fail: (error: ApiError) => void,
): () => void {
  let size = 0;
  let ticks = 0;
  let sizeBefore = 0;
  const stop = (): void => {
    request.off('data', count);
    clearInterval(clock);
  };
  const refuse = (detail: string): void => {
    stop();
    request.unpipe();
    // What is still under way is let go by, so that the response can be read.
    request.resume();
    fail(malformed(detail));
  };
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    if (isTooLarge(size)) refuse('the body is too large');
  };
  // Ticks and not the time: what arrives while the process is busy is read before the next one.
  const clock = setInterval(() => {
    ticks += 1;
    if (ticks < seconds) return;
    if (size - sizeBefore < rate * seconds) {
      refuse('the body arrives too slowly');
      return;
    }
    ticks = 0;
    sizeBefore = size;
  }, TICK_MS);
  request.on('data', count);
  return stop;
}
