import { type Socket } from 'node:net';
import { acceptedConnections } from './connection-backlog';
import { connections, handleOf, type ReadConnection, type TimedSocket } from './read-connection';
import { RoundRobin } from './round-robin';

/** How much is read in a turn of the event loop. */
interface TurnLimits {
  /** Cost after which nothing is read. */
  readonly cost: number;
  /** Maximum number of waiting connections that are read again. */
  readonly waiting: number;
}

/** A byte of a body costs 1. */
const TURN: TurnLimits = { cost: 1_048_576, waiting: 500 };

/** Node accepts one connection in a turn, so turns must be short while many wait. */
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

/** Minimum number of waiting connections that are read again, while each turn is full. */
const MIN_WAITING = 8;

/**
 * Maximum number of full turns in which a connection that may not have been read keeps its place. After
 * this many turns, every started connection with data has been read.
 */
const MAX_KEPT = MIN_WAITING;

/**
 * Bounds what is read in a turn of the event loop. Thousands of connections with large bodies, many
 * requests, small chunks or small TLS records would make each turn take seconds. When the turn is
 * full, all connections are stopped, and are read in later turns, one of each network after the
 * other. Streams are not paused, because Node pauses and resumes them independently.
 *
 * A single read of 64 KB can cost more than a turn. The following turns read nothing; Node accepts one
 * connection in each.
 */
export class ReadTurns {
  /** Those that are not stopped. */
  private readonly reading = new Set<ReadConnection>();
  /** Those that had data when they were stopped. */
  private readonly senders = new RoundRobin<ReadConnection>();
  /** Those that were stopped without data. */
  private readonly waiting = new RoundRobin<ReadConnection>();
  /** Those that were started for the current turn. */
  private started: ReadConnection[] = [];
  /** Of the current turn, with the excess of earlier ones. */
  private cost = 0;
  private turn = 0;
  /** Whether the current turn is for waiting connections, not for senders. */
  private isForWaiting = false;
  /** Whether the excess of earlier turns fills this turn. */
  private startsFull = false;
  private waitingNumber = MIN_WAITING;
  private isScheduled = false;
  private accepted = acceptedConnections();
  private limits = TURN;

  /**
   * Call it for each connection.
   * @param network of the client; that of the connection alone if it belongs to a proxy
   */
  open(socket: Socket, network: string): ReadConnection {
    const connection: ReadConnection = {
      ...{ socket, ownNetwork: network, network },
      ...{ cost: 0, turn: -1, requestTurn: -1, startTurn: -1, kept: 0 },
      ...{ mayHaveUnread: false, isGuarded: false },
    };
    connections.set(socket, connection);
    // Otherwise new connections would be read before those that wait.
    if (this.senders.length + this.waiting.length > 0) {
      this.stop(connection);
      this.waiting.push(network, connection);
    } else {
      this.reading.add(connection);
    }
    if ('encrypted' in socket) this.countRecords(connection, socket as unknown as TimedSocket);
    return connection;
  }

  /** Call it when a connection is closed. */
  close(connection: ReadConnection): void {
    this.reading.delete(connection);
    // It stays in its queue.
    connection.socket = undefined;
  }

  /** Call it for each request. */
  addRequest(connection: ReadConnection): void {
    connection.network = connection.ownNetwork;
    const isFirst = connection.requestTurn !== this.turn;
    connection.requestTurn = this.turn;
    this.count(connection, isFirst ? REQUEST_COST : PIPELINED_COST);
  }

  /** Call it at the end of a request with a body: the next one can be of another client. */
  endRequest(connection: ReadConnection): void {
    connection.network = connection.ownNetwork;
  }

  /** Call it for each chunk of a body. @param network of the client that sends the request */
  addChunk(connection: ReadConnection, network: string, bytes: number): void {
    connection.network = network;
    this.count(connection, bytes + CHUNK_COST);
  }

  private countRecords(connection: ReadConnection, socket: TimedSocket): void {
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
    if (this.isFull) {
      this.stopAll();
    } else if (connection.cost >= CONNECTION_COST && this.reading.has(connection)) {
      // Data of a stopped connection had been read before, such as the rest of a TLS record.
      this.stop(connection);
      this.senders.push(connection.network, connection);
    }
  }

  private get isFull(): boolean {
    return this.cost >= this.limits.cost;
  }

  private stop(connection: ReadConnection): void {
    this.reading.delete(connection);
    connection.mayHaveUnread = true;
    const handle = handleOf(connection.socket);
    if (!handle) return;
    handle.readStop();
    if (connection.isGuarded) return;
    connection.isGuarded = true;
    const readStart = handle.readStart.bind(handle);
    handle.readStart = () => (this.reading.has(connection) ? readStart() : 0);
  }

  /**
   * Stops all connections. Those that were started for this turn keep their places in their queue for
   * some turns: others may have filled it before they were read.
   */
  private stopAll(): void {
    const kept: [network: string, connection: ReadConnection][] = [];
    for (const connection of this.reading) {
      this.stop(connection);
      if (connection.turn === this.turn) {
        connection.kept = 0;
        this.senders.push(connection.network, connection);
      } else if (connection.startTurn === this.turn && connection.kept < MAX_KEPT) {
        // While `waitingNumber` exceeds its minimum, more are started than MAX_KEPT turns can read.
        if (!this.isForWaiting || this.waitingNumber === MIN_WAITING) connection.kept += 1;
        kept.push([connection.network, connection]);
      } else {
        connection.kept = 0;
        this.waiting.push(connection.network, connection);
      }
    }
    (this.isForWaiting ? this.waiting : this.senders).putBack(kept);
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
    for (const connection of this.started) {
      if (!this.reading.has(connection)) continue;
      connection.mayHaveUnread = false;
      connection.kept = 0;
    }
    this.started = [];
    const wasFull = this.isFull;
    this.cost = Math.max(0, this.cost - this.limits.cost);
    const accepted = acceptedConnections();
    this.limits = accepted === this.accepted ? TURN : ACCEPTING_TURN;
    this.accepted = accepted;
    // Not after turns in which nothing was read.
    if (this.isForWaiting && !this.startsFull) this.adaptWaitingNumber(wasFull);
    this.turn += 1;
    this.startsFull = this.isFull;
    if (this.startsFull) {
      this.schedule();
      return;
    }
    // Not both for one turn: the kernel may always report the same senders first.
    this.isForWaiting =
      this.waiting.length > 0 && (!this.isForWaiting || this.senders.length === 0);
    if (this.isForWaiting) this.startWaiting();
    else this.startSenders();
    const isDone = this.started.length === 0 && this.senders.length + this.waiting.length === 0;
    if (!isDone) this.schedule();
  }

  /** While turns are full, few connections are started, so that the order of networks decides. */
  private adaptWaitingNumber(wasFull: boolean): void {
    const number = wasFull ? this.waitingNumber / 2 : this.waitingNumber * 2;
    this.waitingNumber = Math.max(MIN_WAITING, Math.min(number, this.limits.waiting));
  }

  private startWaiting(): void {
    for (let number = 0; number < this.waitingNumber; number += 1) {
      if (!this.start(this.waiting)) return;
    }
  }

  /** Starts as many as fill the turn if they send as much as before. */
  private startSenders(): void {
    for (let expected = this.cost; expected < this.limits.cost;) {
      const started = this.start(this.senders);
      if (!started) return;
      expected += started.cost;
    }
  }

  /** Starts the next connection of a queue, if there is one. */
  private start(queue: RoundRobin<ReadConnection>): ReadConnection | undefined {
    const connection = queue.shift(({ socket }) => socket?.destroyed !== false);
    if (!connection) return undefined;
    this.reading.add(connection);
    this.started.push(connection);
    connection.startTurn = this.turn;
    const handle = handleOf(connection.socket);
    // Otherwise its stream has paused it meanwhile.
    if (handle?.reading === true) handle.readStart();
    return connection;
  }
}
