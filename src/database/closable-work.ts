import { AsyncLocalStorage } from 'node:async_hooks';
import { type ConnectionRequester } from './pool-queue';

const storage = new AsyncLocalStorage<ConnectionRequester>();

/** Background work whose connections can be closed, without those of other work of the process. */
export class ClosableWork {
  /** Identifies its connections in the pool. */
  readonly requester: ConnectionRequester = { share: undefined };

  run<T>(work: () => Promise<T>): Promise<T> {
    return storage.run(this.requester, work);
  }
}

/**
 * Requester of connections in the current asynchronous context; undefined outside of
 * {@link ClosableWork}.
 */
export const closableRequester = (): ConnectionRequester | undefined => storage.getStore();
