import { type Worker } from 'node:cluster';
import { onClose } from '../../api/http/accept-queue';

/** Node's handle of an accepted connection that is on its way to a worker. */
export interface HandedConnection {
  close(callback?: () => void): void;
  /** Called when a worker has rejected the connection. */
  onRejected?: () => void;
}

const isConnection = (handle: unknown): handle is HandedConnection =>
  typeof (handle as Partial<HandedConnection> | undefined)?.close === 'function';

/** A message of `node:cluster` to a worker, with its number, or a worker's response to it. */
interface ClusterMessage {
  readonly cmd?: string;
  readonly seq?: number;
  readonly ack?: number;
  readonly accepted?: boolean;
}

/** The message of a worker that has received a message without its handle. */
const HANDLE_LOST = 'NODE_HANDLE_NACK';

/**
 * Closes the connections that were handed to a worker and that it had not answered when it ended.
 * `node:cluster` waits for its response to each, and would keep them open without end. It hands
 * connections that the worker rejects to another worker.
 *
 * A worker without a free descriptor loses the connection. `node:cluster` does not notice, and would
 * wait without end for the worker's response before it hands it another connection.
 */
export function closeUntakenConnections(worker: Worker): void {
  const untaken = new Map<number, HandedConnection>();
  const child = worker.process;
  const send = child.send.bind(child) as (...values: unknown[]) => boolean;
  child.send = (...values: unknown[]): boolean => {
    const [message, handle] = values;
    const { seq } = message as ClusterMessage;
    if (seq !== undefined && isConnection(handle)) {
      untaken.set(seq, handle);
      onClose(handle, () => untaken.delete(seq));
    }
    return send(...values);
  };
  child.on('internalMessage', ({ cmd, ack, accepted }: ClusterMessage) => {
    if (cmd === HANDLE_LOST) {
      // The responses to earlier ones came before, so that the oldest one is lost.
      const [lost] = untaken.keys();
      if (lost !== undefined)
        child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: lost, accepted: true });
      return;
    }
    if (ack === undefined) return;
    const handle = untaken.get(ack);
    untaken.delete(ack);
    if (accepted === false) handle?.onRejected?.();
  });
  worker.once('exit', () => {
    for (const handle of [...untaken.values()]) handle.close();
    untaken.clear();
  });
}
