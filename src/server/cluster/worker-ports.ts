import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import { onClose, peerAddressOf, type AcceptedHandle } from '../../api/http/accept-queue';
import {
  queueAccepted,
  type ListeningHandle,
  type ServerWithHandle,
} from '../../api/http/fair-accepting';
import { acceptBacklog } from '../accept-backlog';
import { type HandedConnection } from './untaken-connections';

/** Node publishes here that a server is about to listen. */
const LISTEN = 'tracing:net.server.listen:asyncStart';

/** Connections on their way to each worker: one that it takes, and others that need no wait. */
const OPEN_EACH = 4;

/** Maximum milliseconds until workers have taken the accepted connections. */
const HAND_OVER_MS = 3000;
/** Milliseconds between checks for it. */
const CHECK_MS = 2;

/** Options of {@link WorkerPorts}. */
export interface WorkerPortsOptions {
  readonly workerCount: number;
  /** Whether the addresses of clients take turns. */
  readonly isFair: boolean;
  /** Called for each connection that is closed because its address has too many waiting. */
  readonly onDrop: () => void;
}

/**
 * The ports on which this process accepts connections for its workers. `node:cluster` listens with
 * a server of its own, whose handle it then uses alone.
 */
export class WorkerPorts {
  /** Functions that close the ports. */
  private readonly closers: (() => void)[] = [];
  /** Number of accepted connections so far. */
  private accepted = 0;
  private notTaken = 0;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: WorkerPortsOptions) {
    subscribe(LISTEN, this.onListen);
  }

  /** Number of accepted connections that no worker has taken yet. */
  get waiting(): number {
    return this.notTaken;
  }

  get isClosing(): boolean {
    return this.closing !== undefined;
  }

  /**
   * Closes the ports after the connections in the backlog of the kernel were accepted, which it
   * would otherwise reset. Workers must still listen: connections that they have not taken when
   * they close their servers are closed.
   *
   * @returns a promise that is fulfilled when workers have taken all, or after three seconds
   */
  close(): Promise<void> {
    return (this.closing ??= this.handOverAll());
  }

  /** Stops watching for new ports. Open ports stay open. */
  unsubscribe(): void {
    unsubscribe(LISTEN, this.onListen);
  }

  private async handOverAll(): Promise<void> {
    const deadline = performance.now() + HAND_OVER_MS;
    await acceptBacklog(() => this.accepted, deadline);
    for (const close of this.closers) close();
    while (this.notTaken > 0 && performance.now() < deadline) await pause(CHECK_MS);
  }

  private readonly onListen = (message: unknown): void => {
    const { server } = message as { server: ServerWithHandle };
    server.once('listening', () => {
      const listening = server._handle as ListeningHandle;
      // The listener of `node:cluster` runs next.
      process.nextTick(() => {
        if (server._handle === null) this.watch(listening);
      });
    });
  };

  private watch(listening: ListeningHandle): void {
    this.closers.push(listening.close.bind(listening));
    const { workerCount, isFair, onDrop } = this.options;
    if (isFair) queueAccepted(listening, { maxOpen: workerCount * OPEN_EACH, onDrop });
    // Node closes the port when its last worker has stopped. From then on it keeps rejected
    // connections open, without a worker.
    let isPortClosed = false;
    onClose(listening, () => {
      isPortClosed = true;
    });
    const { onconnection } = listening;
    listening.onconnection = (error, handle) => {
      if (error === 0 && handle) {
        this.countUntilTaken(handle);
        (handle as HandedConnection).onRejected = () => {
          if (isPortClosed) handle.close();
        };
        // No worker has to take a connection that its client has reset. The queue checks it as well.
        if (!isFair && peerAddressOf(handle) === undefined) {
          handle.close();
          return;
        }
      }
      onconnection.call(listening, error, handle);
    };
  }

  /** The handle is closed when a worker has taken the connection. */
  private countUntilTaken(handle: AcceptedHandle): void {
    this.accepted += 1;
    this.notTaken += 1;
    onClose(handle, () => {
      this.notTaken -= 1;
    });
  }
}
