import { AsyncLocalStorage } from 'node:async_hooks';
import { type Frame } from './frame';

const storage = new AsyncLocalStorage<Frame>();

/** Does everything that `work` starts on behalf of a request. */
export const onBehalfOf = <T>(frame: Frame, work: () => T): T => storage.run(frame, work);

/** The request that the current work is done for; undefined for work of the service's own. */
export const currentRequest = (): Frame | undefined => storage.getStore();

/** Work that is not done for the current request: nobody's leaving ends it. */
export const onOwnBehalf = <T>(work: () => T): T => storage.exit(work);
