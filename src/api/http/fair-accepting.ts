import { type Server } from 'node:net';
import { descriptorLimit } from '../../process/descriptor-limit';
import { AcceptQueue, type AcceptedHandle, type AcceptQueueOptions } from './accept-queue';
import { countAccepted } from './connection-backlog';

/** Maximum number of connections that wait after they were accepted. */
const MAX_WAITING = 2000;
/** The same as a part of the file descriptors of the process. */
const PART_OF_DESCRIPTORS = 1 / 8;

/** Node's handle of a listening socket. */
export interface ListeningHandle {
  onconnection: (error: number, handle?: AcceptedHandle) => void;
  close(callback?: () => void): void;
}

/** A server with Node's private handle; null when it does not listen. */
export type ServerWithHandle = Server & { readonly _handle: ListeningHandle | null };

/**
 * Puts a queue between the kernel and a server. Node has no public way to close a connection before
 * it makes a socket of it, which takes several times as long as accepting it.
 *
 * @param options without `pass` and with the default maximum
 */
export function queueAccepted(
  listening: ListeningHandle,
  options: Omit<AcceptQueueOptions, 'pass' | 'maxWaiting'>,
): AcceptQueue {
  const { onconnection } = listening;
  const close = listening.close.bind(listening);
  const descriptors = descriptorLimit() ?? Infinity;
  const queue = new AcceptQueue({
    ...options,
    maxWaiting: Math.min(MAX_WAITING, Math.floor(descriptors * PART_OF_DESCRIPTORS)),
    pass: (handle) => {
      onconnection.call(listening, 0, handle);
    },
  });
  listening.onconnection = (error, handle) => {
    if (error !== 0 || !handle) {
      onconnection.call(listening, error, handle);
      return;
    }
    // The server takes it later, but more may wait in the backlog.
    countAccepted();
    queue.add(handle);
  };
  listening.close = (callback) => {
    queue.close();
    close(callback);
  };
  return queue;
}

const queues = new WeakMap<Server, AcceptQueue>();

/** Number of connections of a server that are accepted and wait for the service. */
export const waitingConnections = (server: Server): number => queues.get(server)?.size ?? 0;

/**
 * Lets the addresses of clients take turns in the connections that a server accepts. Emits
 * `crowded` for each connection that is closed because its address has too many that wait.
 */
export function acceptFairly(server: Server): void {
  server.on('listening', () => {
    const { _handle: listening } = server as ServerWithHandle;
    if (!listening) return;
    const onDrop = (): void => void server.emit('crowded');
    queues.set(server, queueAccepted(listening, { onDrop }));
  });
}
