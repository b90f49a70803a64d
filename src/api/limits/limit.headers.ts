import { type Response } from 'express';
import { ApiError } from '../errors/errors';
import { remainingOf, secondsUntilReset, type CounterState } from './limits';

/** Value of the older headers without a limit, for clients that require a number. */
export const NO_LIMIT = 2_147_483_647;

/**
 * The headers of D16: two older pairs, and those of draft-ietf-httpapi-ratelimit-headers, which
 * are lists of structured fields with one item for each counter in force.
 */
export function setLimitHeaders(response: Response, counters: readonly CounterState[]): void {
  for (const [at, suffix] of [
    ['first', ''],
    ['second', '2'],
  ] as const) {
    const shown = counters.find((counter) => counter.shown === at || counter.shown === 'both');
    const remaining = shown && remainingOf(shown);
    response.setHeader(`X-RateLimit-Limit${suffix}`, String(shown?.limit ?? NO_LIMIT));
    response.setHeader(`X-RateLimit-Remaining${suffix}`, String(remaining ?? NO_LIMIT));
  }
  const inForce = counters.filter(({ limit }) => limit !== null);
  if (inForce.length === 0) return;
  response.setHeader(
    'RateLimit-Policy',
    inForce.map(({ name, limit, window }) => `"${name}";q=${limit};w=${window}`).join(', '),
  );
  response.setHeader(
    'RateLimit',
    inForce
      .map((counter) => {
        const { name } = counter;
        return `"${name}";r=${remainingOf(counter)};t=${secondsUntilReset(counter)}`;
      })
      .join(', '),
  );
}

/** The error for an exceeded limit: 111 of the caller, 112 of the address (D16). */
export function tooMany(counter: CounterState): ApiError {
  const { name, on, source, limit, window } = counter;
  const span = window === 60 ? 'per minute' : 'per hour';
  return new ApiError(on === 'caller' ? 'rateLimitExceeded1' : 'rateLimitExceeded2', {
    detail: `${name}: ${limit} requests ${span} (${source})`,
    headers: { 'Retry-After': String(secondsUntilReset(counter)) },
  });
}
