import { type Socket } from 'node:net';
import { acceptedConnections } from './connection-backlog';
import { RoundRobin } from './round-robin';

/** How much is read in a turn of the event loop. */
interface TurnLimits {
  /** Cost after which nothing is read. */
  readonly cost: number;
  /** Number of waiting connections that are read again. */
  readonly waiting: number;
}

/** A byte of a body costs 1. */
const TURN: TurnLimits = { cost: 1_048_576, waiting: 500 };

/** Node accepts one connection in a turn, so that turns must be short while many wait. */
const ACCEPTING_TURN: TurnLimits = { cost: 131_072, waiting: 100 };

/** Cost of a request. */
const REQUEST_COST = 2048;

/** Cost of each further request of a connection in a turn. */
const PIPELINED_COST = 16_384;

/**
 * Cost of a chunk of a body, in addition to its bytes, and of a TLS record. Handling a chunk of one
 * byte takes as long as handling 512 bytes.
 */
const CHUNK_COST = 512;

/** Maximum cost of a connection in a turn. libuv would read up to 2 MB of each. */
const CONNECTION_COST = 262_144;

/** Number of full turns in which a connection that was not read keeps its place. */
const MAX_KEPT = 3;

/** The handle of a socket. */
interface Handle {
  /** What the stream of the socket wants. */
  readonly reading: boolean;
  readStop(): void;
  /** @returns 0, or the code of an error */
  readStart(): number;
}

/** A socket with a method that Node calls after each TLS record that it reads, and after writes. */
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
  /** Cost of its data in the turn with the number `turn`. */
  cost: number;
  turn: number;
  /** Number of full turns in which it was not read. */
  kept: number;
  /** The turn of its last request. */
  requestTurn: number;
  /** Whether its stream cannot start it while it is stopped. */
  isGuarded: boolean;
}

/**
 * Bounds what is read in a turn of the event loop. Thousands of connections with large bodies, many
 * requests, small chunks or small TLS records would make each turn take seconds. When the turn is
 * full, all connections are stopped, and are read in later turns, one of each network after the
 * other. Streams are not paused, because Node pauses and resumes them independently.
 */
export class ReadTurns {
  /** Those that are not stopped. */
  private readonly reading = new Set<ReadConnection>();
  /** Those that had data when they were stopped. */
  private readonly senders = new RoundRobin<ReadConnection>();
  /** Those that were stopped without data. */
  private readonly waiting = new RoundRobin<ReadConnection>();
  private cost = 0;
  private turn = 0;
  private isScheduled = false;
  private accepted = acceptedConnections();
  private limits = TURN;

  /** Call it for each connection. @param network of the client */
  open(socket: Socket, network: string): ReadConnection {
    const connection = {
      socket,
      network,
      cost: 0,
      turn: -1,
      kept: 0,
      requestTurn: -1,
      isGuarded: false,
    };
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
    this.count(connection, isFirst ? REQUEST_COST : PIPELINED_COST);
  }

  /** Call it for each chunk of a body. @param network of the client that sends the request */
  addChunk(connection: ReadConnection, network: string, bytes: number): void {
    connection.network = network;
    this.count(connection, bytes + CHUNK_COST);
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
      this.count(connection, CHUNK_COST);
    };
  }

  private count(connection: ReadConnection, cost: number): void {
    this.schedule();
    if (connection.turn !== this.turn) connection.cost = 0;
    connection.turn = this.turn;
    connection.cost += cost;
    this.cost += cost;
    const isFull = this.cost >= this.limits.cost;
    // Data of a stopped connection had been read before, such as the rest of a TLS record.
    const isStopped = !this.reading.has(connection);
    if (!isStopped && (isFull || connection.cost >= CONNECTION_COST)) {
      this.stop(connection);
      this.senders.push(connection.network, connection);
    }
    if (isFull) this.stopAll();
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

  /**
   * Stops all connections. Those without data keep their places for some turns: others may have
   * filled the turn before they were read.
   */
  private stopAll(): void {
    const kept: [network: string, connection: ReadConnection][] = [];
    for (const connection of this.reading) {
      this.stop(connection);
      if (connection.turn === this.turn) {
        this.senders.push(connection.network, connection);
      } else if (connection.kept < MAX_KEPT) {
        connection.kept += 1;
        kept.push([connection.network, connection]);
      } else {
        connection.kept = 0;
        this.waiting.push(connection.network, connection);
      }
    }
    this.waiting.putBack(kept);
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
    this.cost = 0;
    this.turn += 1;
    const accepted = acceptedConnections();
    this.limits = accepted === this.accepted ? TURN : ACCEPTING_TURN;
    this.accepted = accepted;
    // The first ones can fill the turn.
    const sendersFirst = this.turn % 2 === 0;
    if (sendersFirst) this.startSenders();
    for (let started = 0; started < this.limits.waiting; started += 1) {
      if (!this.start(this.waiting)) break;
    }
    if (!sendersFirst) this.startSenders();
    if (this.senders.length > 0 || this.waiting.length > 0) this.schedule();
  }

  /** Starts as many as fill the turn if they send as much as before. */
  private startSenders(): void {
    for (let expected = 0; expected < this.limits.cost;) {
      const started = this.start(this.senders);
      if (!started) return;
      expected += started.cost;
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
