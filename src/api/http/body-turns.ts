import { type Socket } from 'node:net';
import { acceptedConnections } from './connection-backlog';
import { RoundRobin } from './round-robin';

/** How much is read in a turn of the event loop. */
interface TurnLimits {
  /** Bytes of bodies after which each connection stops at its next data. */
  readonly bytes: number;
  /** Number of stopped connections that are read again. */
  readonly connections: number;
}

const TURN: TurnLimits = { bytes: 1_048_576, connections: 16 };

/** Node accepts one connection in a turn, so that turns must be short while many wait. */
const ACCEPTING_TURN: TurnLimits = { bytes: 131_072, connections: 2 };

/** Bytes of one connection in a turn. libuv would read up to 2 MB of each. */
const CONNECTION_BYTES = 262_144;

/** Bytes that each chunk counts in addition: many small ones take more time. */
const CHUNK_BYTES = 512;

/** The handle of a socket, with the state that Node's streams know. */
interface Handle {
  readonly reading: boolean;
  readStop(): void;
  readStart(): void;
}

const handleOf = (socket: Socket): Handle | null =>
  (socket as unknown as { readonly _handle: Handle | null })._handle;

/**
 * Bounds the bytes of bodies that are read in a turn of the event loop: a thousand connections with
 * large bodies would make each turn take seconds. The others are stopped and read in later turns,
 * one of each network after the other. Their streams are not paused, because they pause and resume
 * themselves.
 */
export class BodyTurns {
  private bytes = 0;
  private readonly ofConnections = new Map<Socket, number>();
  private readonly stopped = new RoundRobin<Socket>();
  private readonly isStopped = new WeakSet<Socket>();
  private isScheduled = false;
  private accepted = acceptedConnections();
  private limits = TURN;

  /** Call it for each chunk of a body. @param network of the client, which takes turns with others */
  arrived(socket: Socket, network: string, bytes: number): void {
    this.schedule();
    const counted = bytes + CHUNK_BYTES;
    this.bytes += counted;
    const ofConnection = (this.ofConnections.get(socket) ?? 0) + counted;
    this.ofConnections.set(socket, ofConnection);
    if (this.isStopped.has(socket)) {
      // Its stream has started it again.
      handleOf(socket)?.readStop();
      return;
    }
    if (this.bytes < this.limits.bytes && ofConnection < CONNECTION_BYTES) return;
    handleOf(socket)?.readStop();
    this.isStopped.add(socket);
    this.stopped.push(network, socket);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.begin();
    });
  }

  private begin(): void {
    this.isScheduled = false;
    this.bytes = 0;
    this.ofConnections.clear();
    const accepted = acceptedConnections();
    this.limits = accepted === this.accepted ? TURN : ACCEPTING_TURN;
    this.accepted = accepted;
    for (let read = 0; read < this.limits.connections; read += 1) {
      const socket = this.stopped.shift(({ destroyed }) => destroyed);
      if (!socket) break;
      this.isStopped.delete(socket);
      const handle = handleOf(socket);
      // Otherwise its stream has paused it meanwhile.
      if (handle?.reading === true) handle.readStart();
    }
    if (this.stopped.length > 0) this.schedule();
  }
}
