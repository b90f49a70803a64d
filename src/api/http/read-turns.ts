import { type Socket } from 'node:net';
import { acceptedConnections } from './connection-backlog';
import { RoundRobin } from './round-robin';

/** How much is read in a turn of the event loop. */
interface TurnLimits {
  /** Bytes of bodies, with what requests, chunks and TLS records count, after which nothing is read. */
  readonly bytes: number;
  /** Number of connections that are read again of those that were stopped because of others. */
  readonly others: number;
}

const TURN: TurnLimits = { bytes: 1_048_576, others: 500 };

/** Node accepts one connection in a turn, so that turns must be short while many wait. */
const ACCEPTING_TURN: TurnLimits = { bytes: 131_072, others: 100 };

/** Bytes that a request counts. */
const REQUEST_BYTES = 2048;

/** Bytes that each further request of a connection in a turn counts. */
const PIPELINED_BYTES = 16_384;

/** Bytes of one connection in a turn. libuv would read up to 2 MB of each. */
const CONNECTION_BYTES = 262_144;

/**
 * Bytes that each chunk of a body, and each TLS record, counts in addition. One with a single byte
 * takes as long as they do.
 */
const CHUNK_BYTES = 512;

/** The handle of a socket, with the state that Node's streams know. */
interface Handle {
  readonly reading: boolean;
  readStop(): void;
  /** @returns 0, or the code of an error */
  readStart(): number;
}

/** A socket with a method that Node calls for each TLS record that it has read, and after writes. */
interface TimedSocket extends Socket {
  _unrefTimer(): void;
}

const handleOf = (socket: Socket): Handle | null =>
  (socket as unknown as { readonly _handle: Handle | null })._handle;

/** A connection as {@link ReadTurns} knows it. */
export interface ReadConnection {
  readonly socket: Socket;
  /** Takes turns with others. */
  network: string;
  /** Bytes that count in the turn with the number `turn`. */
  bytes: number;
  turn: number;
  /** The turn of its last request. */
  requestTurn: number;
  /** Whether its stream cannot start it while it is stopped. */
  isGuarded: boolean;
}

/**
 * Bounds what is read in a turn of the event loop. Thousands of connections with large bodies, many
 * requests, small chunks or small TLS records would make each turn take seconds. When the turn is
 * full, all connections are stopped, and are read in later turns, one of each network after the
 * other. Their streams are not paused, because they pause and resume themselves, also meanwhile.
 */
export class ReadTurns {
  /** Those that are not stopped. */
  private readonly reading = new Set<ReadConnection>();
  /** Those that were stopped after data that count. */
  private readonly senders = new RoundRobin<ReadConnection>();
  /** Those that were stopped because the turn was full. */
  private readonly others = new RoundRobin<ReadConnection>();
  private bytes = 0;
  private turn = 0;
  private isScheduled = false;
  private accepted = acceptedConnections();
  private limits = TURN;

  /** Call it for each connection. @param network of the client */
  open(socket: Socket, network: string): ReadConnection {
    const connection = { socket, network, bytes: 0, turn: -1, requestTurn: -1, isGuarded: false };
    this.reading.add(connection);
    if ('encrypted' in socket) this.countRecords(connection);
    return connection;
  }

  /** Call it when a connection is closed. */
  close(connection: ReadConnection): void {
    this.reading.delete(connection);
  }

  /** Call it for each request. */
  addRequest(connection: ReadConnection): void {
    const isFirst = connection.requestTurn !== this.turn;
    connection.requestTurn = this.turn;
    this.count(connection, isFirst ? REQUEST_BYTES : PIPELINED_BYTES);
  }

  /** Call it for each chunk of a body. @param network of the client that sends the request */
  addChunk(connection: ReadConnection, network: string, bytes: number): void {
    connection.network = network;
    this.count(connection, bytes + CHUNK_BYTES);
  }

  private countRecords(connection: ReadConnection): void {
    const socket = connection.socket as TimedSocket;
    const refreshTimer = socket._unrefTimer.bind(socket);
    let readBefore = 0;
    socket._unrefTimer = () => {
      refreshTimer();
      const { bytesRead } = socket;
      if (bytesRead === readBefore) return;
      readBefore = bytesRead;
      this.count(connection, CHUNK_BYTES);
    };
  }

  private count(connection: ReadConnection, bytes: number): void {
    this.schedule();
    if (connection.turn !== this.turn) connection.bytes = 0;
    connection.turn = this.turn;
    connection.bytes += bytes;
    this.bytes += bytes;
    const isFull = this.bytes >= this.limits.bytes;
    // Data of a stopped connection had been read before, such as the rest of a TLS record.
    const isStopped = !this.reading.has(connection);
    if (!isStopped && (isFull || connection.bytes >= CONNECTION_BYTES)) {
      this.stop(connection);
      this.senders.push(connection.network, connection);
    }
    if (isFull) this.stopOthers();
  }

  private stop(connection: ReadConnection): void {
    this.reading.delete(connection);
    const handle = handleOf(connection.socket);
    if (!handle) return;
    handle.readStop();
    if (connection.isGuarded) return;
    connection.isGuarded = true;
    const readStart = handle.readStart.bind(handle);
    handle.readStart = () => (this.reading.has(connection) ? readStart() : 0);
  }

  /** Those without data in this turn keep their places: senders would be read before them again. */
  private stopOthers(): void {
    const unread: [network: string, connection: ReadConnection][] = [];
    for (const other of this.reading) {
      this.stop(other);
      if (other.turn === this.turn) this.senders.push(other.network, other);
      else unread.push([other.network, other]);
    }
    this.others.putBack(unread);
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
    this.turn += 1;
    const accepted = acceptedConnections();
    this.limits = accepted === this.accepted ? TURN : ACCEPTING_TURN;
    this.accepted = accepted;
    // The first ones can fill the turn.
    const sendersFirst = this.turn % 2 === 0;
    if (sendersFirst) this.startSenders();
    for (let started = 0; started < this.limits.others; started += 1) {
      if (!this.start(this.others)) break;
    }
    if (!sendersFirst) this.startSenders();
    if (this.senders.length > 0 || this.others.length > 0) this.schedule();
  }

  /** Starts as many as fill the turn if they send as much as before. */
  private startSenders(): void {
    for (let expected = 0; expected < this.limits.bytes;) {
      const started = this.start(this.senders);
      if (!started) return;
      expected += started.bytes;
    }
  }

  /** Starts the next connection of a queue, if there is one. */
  private start(queue: RoundRobin<ReadConnection>): ReadConnection | undefined {
    const connection = queue.shift(({ socket }) => socket.destroyed);
    if (!connection) return undefined;
    this.reading.add(connection);
    const handle = handleOf(connection.socket);
    // Otherwise its stream has paused it meanwhile.
    if (handle?.reading === true) handle.readStart();
    return connection;
  }
}
