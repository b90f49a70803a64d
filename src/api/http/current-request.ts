import { AsyncLocalStorage } from 'node:async_hooks';
import { type RequestContext } from './request-context';

/**
 * AsyncLocalStorage is needed here because every read would otherwise pass its request through all
 * layers to the connection pool. The pool needs the request for its share of the connections, and
 * to cancel a statement whose client left. The queues of pictures and formulas need its address. Other
 * code must not depend on it: results of the work are the same without a current request.
 */
const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it starts, on behalf of a request. */
export const onBehalfOf = <T>(context: RequestContext, work: () => T): T =>
  storage.run(context, work);

/** The request that the current work is done for; undefined for background work. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Runs background work: it does not end when the client of the current request leaves. */
export const detached = <T>(work: () => T): T => storage.exit(work);

/** Records that the current request writes for a user who is not its caller. */
export function setWriter(userId: number): void {
  const request = currentRequest();
  if (request) request.writer = userId;
}
