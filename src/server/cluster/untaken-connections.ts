import { type Worker } from 'node:cluster';
import { onClose } from '../../api/http/accept-queue';

/** Node's handle of an accepted connection. */
interface Closable {
  close(callback?: () => void): void;
}

const isClosable = (handle: unknown): handle is Closable =>
  typeof (handle as Partial<Closable> | undefined)?.close === 'function';

/** The worker that each connection on its way was handed to last. */
const lastWorkerOf = new WeakMap<Closable, Worker>();

/**
 * Closes the connections that were handed to a worker and that it had not taken when it ended.
 * `node:cluster` waits for its response to each, and would keep them open without end.
 */
export function closeUntakenConnections(worker: Worker): void {
  const untaken = new Set<Closable>();
  const child = worker.process;
  const send = child.send.bind(child) as (...values: unknown[]) => boolean;
  const track = (handle: Closable): void => {
    lastWorkerOf.set(handle, worker);
    untaken.add(handle);
    onClose(handle, () => untaken.delete(handle));
  };
  child.send = (...values: unknown[]): boolean => {
    const [, handle] = values;
    if (isClosable(handle)) track(handle);
    return send(...values);
  };
  worker.once('exit', () => {
    for (const handle of untaken) if (lastWorkerOf.get(handle) === worker) handle.close();
    untaken.clear();
  });
}
