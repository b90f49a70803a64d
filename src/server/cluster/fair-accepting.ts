import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  queueAccepted,
  type ListeningHandle,
  type ServerWithHandle,
} from '../../api/http/fair-accepting';

/** Node publishes here that a server is about to listen. */
const LISTEN = 'tracing:net.server.listen:asyncStart';

/** Connections on their way to each worker: one that it takes, and others that need no wait. */
const OPEN_EACH = 4;

/**
 * Lets the addresses of clients take turns in the connections that this process accepts for its
 * workers. `node:cluster` listens with a server of its own, whose handle it then uses alone.
 *
 * @param onDrop called for each connection that is closed because its address has too many waiting
 * @returns a function that stops it for further ports
 */
export function acceptFairlyForWorkers(workers: number, onDrop: () => void): () => void {
  const onListen = (message: unknown): void => {
    const { server } = message as { server: ServerWithHandle };
    server.once('listening', () => {
      const listening = server._handle as ListeningHandle;
      // The listener of `node:cluster` runs next.
      process.nextTick(() => {
        if (server._handle === null) {
          queueAccepted(listening, { maxOpen: workers * OPEN_EACH, onDrop });
        }
      });
    });
  };
  subscribe(LISTEN, onListen);
  return () => {
    unsubscribe(LISTEN, onListen);
  };
}
