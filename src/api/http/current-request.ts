import { AsyncLocalStorage } from 'node:async_hooks';
import { type RequestContext } from './request-context';

const storage = new AsyncLocalStorage<RequestContext>();

/** Does everything that `work` starts on behalf of a request. */
export const onBehalfOf = <T>(context: RequestContext, work: () => T): T =>
  storage.run(context, work);

/** The request that the current work is done for; undefined for work of the service's own. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Work that is not done for the current request: nobody's leaving ends it. */
export const onOwnBehalf = <T>(work: () => T): T => storage.exit(work);
