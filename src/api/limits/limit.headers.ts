import { ApiError } from '../errors/error-codes';
import { type HeaderFields } from '../http/header-fields';
import { remainingOf, secondsUntilReset, type CounterState } from './limits';

/** Value of the older headers without a limit, for clients that require a number. */
export const NO_LIMIT = 2_147_483_647;

/**
 * The headers of D16: two older pairs, and those of draft-ietf-httpapi-ratelimit-headers, which
 * are lists of structured fields with one item for each counter in force.
 */
export function setLimitHeaders(fields: HeaderFields, counters: readonly CounterState[]): void {
  let first: CounterState | undefined;
  let second: CounterState | undefined;
  let policy = '';
  let limits = '';
  // Loops and concatenation, because every response has these headers.
  for (const counter of counters) {
    const { name, limit, shown, window } = counter;
    if (shown === 'first' || shown === 'both') first ??= counter;
    if (shown === 'second' || shown === 'both') second ??= counter;
    if (limit === null) continue;
    const separator = policy === '' ? '' : ', ';
    policy += `${separator}"${name}";q=${limit};w=${window}`;
    limits += `${separator}"${name}";r=${remainingOf(counter)};t=${secondsUntilReset(counter)}`;
  }
  setOlderHeaders(fields, '', first);
  setOlderHeaders(fields, '2', second);
  if (policy === '') return;
  fields.setHeader('RateLimit-Policy', policy);
  fields.setHeader('RateLimit', limits);
}

function setOlderHeaders(fields: HeaderFields, suffix: '' | '2', shown?: CounterState): void {
  const remaining = shown ? remainingOf(shown) : null;
  fields.setHeader(`X-RateLimit-Limit${suffix}`, String(shown?.limit ?? NO_LIMIT));
  fields.setHeader(`X-RateLimit-Remaining${suffix}`, String(remaining ?? NO_LIMIT));
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
