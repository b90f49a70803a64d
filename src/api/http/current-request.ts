import { AsyncLocalStorage } from 'node:async_hooks';
import { type RequestContext } from './request-context';

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it starts, on behalf of a request. */
export const onBehalfOf = <T>(context: RequestContext, work: () => T): T =>
  storage.run(context, work);

/** The request that the current work is done for; undefined for background work. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Runs background work: it does not end when the client of the current request leaves. */
export const onOwnBehalf = <T>(work: () => T): T => storage.exit(work);
