import { AsyncLocalStorage } from 'node:async_hooks';
import { type ConnectionRequester } from './pool-queue';

const storage = new AsyncLocalStorage<ConnectionRequester>();

/** Background work whose connections can be closed, without those of other work of the process. */
export class ClosableWork {
  /** The user of its connections. */
  readonly requester: ConnectionRequester = { share: undefined };

  run<T>(work: () => Promise<T>): Promise<T> {
    return storage.run(this.requester, work);
  }
}

/** The user of connections in the closable work that is running here. */
export const closableRequester = (): ConnectionRequester | undefined => storage.getStore();
