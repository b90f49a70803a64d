import { malformed, unavailable, type ApiError } from '../errors/error-codes';
import { type HeaderFields } from '../http/header-fields';
import { type ApiRequest } from '../http/request-context';
import { setLimitHeaders, tooMany } from './limit.headers';
import { type CounterState } from './limits';

/** Request header that asks for an error, in lower case as Node.js has it. */
export const TEST_FAULT_HEADER = 'x-test-fault';
/** Milliseconds that a slow response waits. */
const SLOW_MS = 10_000;
/** Milliseconds that clients wait after the error of a limit: short enough to try their retries. */
const RESET_MS = 2000;

/** The counter of a test key that has no limit. */
const EXAMPLE: CounterState = {
  name: 'application',
  on: 'caller',
  shown: 'first',
  source: 'X-Test-Fault',
  limit: 1,
  used: 1,
  window: 60,
  reset: RESET_MS,
};

/** The refusal of a full counter of the caller, with the headers of a real one. */
function exceeded({ context }: ApiRequest, fields: HeaderFields): ApiError {
  const { counters = [], readAt = performance.now() } = context.limits ?? {};
  const own = counters.find(({ on, limit }) => on === 'caller' && limit !== null);
  const refusedBy: CounterState = own ? { ...own, used: own.limit ?? 0, reset: RESET_MS } : EXAMPLE;
  const shown = own ? counters.map((one) => (one === own ? refusedBy : one)) : [EXAMPLE];
  context.limits = { counters: shown, readAt, refusedBy };
  setLimitHeaders(fields, shown);
  return tooMany(refusedBy);
}

/** Waits; ends early when the client leaves. */
const slow = ({ context: { presence } }: ApiRequest): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      presence.offLeave(end);
      resolve();
    };
    const timer = setTimeout(end, SLOW_MS);
    presence.onLeave(end);
  });

/**
 * Causes the error or delay that a request with a test key asks for in `X-Test-Fault` (D171). It
 * runs after the request has been counted.
 *
 * @throws ApiError 111 with 429; 999 with 503; 999 with 400 for another value
 */
export async function causeTestFault(request: ApiRequest, fields: HeaderFields): Promise<void> {
  const fault = request.headers[TEST_FAULT_HEADER];
  if (fault === undefined || fault === '') return;
  if (fault === '429') throw exceeded(request, fields);
  if (fault === '503')
    throw unavailable(undefined, { detail: 'X-Test-Fault asked for this error' });
  if (fault !== 'slow') throw malformed('X-Test-Fault must be 429, 503 or slow');
  await slow(request);
}
