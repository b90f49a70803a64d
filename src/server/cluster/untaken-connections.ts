import { type Worker } from 'node:cluster';
import { onClose } from '../../api/http/accept-queue';

/** Node's handle of an accepted connection. */
interface Closable {
  close(callback?: () => void): void;
}

const isClosable = (handle: unknown): handle is Closable =>
  typeof (handle as Partial<Closable> | undefined)?.close === 'function';

/** A message of `node:cluster` to a worker, with its number, or a worker's response to it. */
interface ClusterMessage {
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes the connections that were handed to a worker and that it had not answered when it ended.
 * `node:cluster` waits for its response to each, and would keep them open without end. It hands
 * connections that the worker rejects to another worker.
 */
export function closeUntakenConnections(worker: Worker): void {
  const untaken = new Map<number, Closable>();
  const child = worker.process;
  const send = child.send.bind(child) as (...values: unknown[]) => boolean;
  child.send = (...values: unknown[]): boolean => {
    const [message, handle] = values;
    const { seq } = message as ClusterMessage;
    if (seq !== undefined && isClosable(handle)) {
      untaken.set(seq, handle);
      onClose(handle, () => untaken.delete(seq));
    }
    return send(...values);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  worker.once('exit', () => {
    for (const handle of [...untaken.values()]) handle.close();
    untaken.clear();
  });
}
