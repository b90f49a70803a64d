import { type Worker } from 'node:cluster';

/** Node's handle of an accepted connection. */
interface Closable {
  close(callback?: () => void): void;
}

const isClosable = (handle: unknown): handle is Closable =>
  typeof (handle as Partial<Closable> | undefined)?.close === 'function';

/** The worker that each connection on its way was handed to last. */
const holders = new WeakMap<Closable, Worker>();

/**
 * Closes the connections that were handed to a worker and that it had not taken when it ended.
 * `node:cluster` waits for its response to each, and would keep them open without end.
 */
export function closeHandedAtEnd(worker: Worker): void {
  const handed = new Set<Closable>();
  const child = worker.process;
  const send = child.send.bind(child) as (...values: unknown[]) => boolean;
  const note = (handle: Closable): void => {
    holders.set(handle, worker);
    handed.add(handle);
    const close = handle.close.bind(handle);
    handle.close = (callback) => {
      handed.delete(handle);
      handle.close = close;
      close(callback);
    };
  };
  child.send = (...values: unknown[]): boolean => {
    const [, handle] = values;
    if (isClosable(handle)) note(handle);
    return send(...values);
  };
  worker.once('exit', () => {
    for (const handle of handed) if (holders.get(handle) === worker) handle.close();
    handed.clear();
  });
}
