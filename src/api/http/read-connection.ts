import { type Socket } from 'node:net';

/** The handle of a socket. */
interface Handle {
  /** What the stream of the socket wants. */
  readonly reading: boolean;
  readStop(): void;
  /** @returns 0, or the code of an error */
  readStart(): number;
}

/** A socket with a method that Node calls after each TLS record that it reads, and after writes. */
export interface TimedSocket extends Socket {
  _unrefTimer(): void;
}

export const handleOf = (socket: Socket | undefined): Handle | null | undefined =>
  (socket as { readonly _handle?: Handle | null } | undefined)?._handle;

/** A connection as `ReadTurns` knows it. */
export interface ReadConnection {
  /** Undefined when it is closed. */
  socket: Socket | undefined;
  /** Its network between requests. */
  readonly ownNetwork: string;
  /** Takes turns with others. */
  network: string;
  /** Cost of its data in the turn with the number `turn`. */
  cost: number;
  turn: number;
  /** The turn in which it was last read again. */
  startTurn: number;
  /** Number of full turns in which it kept its place. */
  kept: number;
  /** The turn of its last request. */
  requestTurn: number;
  /** Whether data may have arrived that is not read, because it waits for its turn. */
  mayHaveUnread: boolean;
  /** Whether its stream cannot start it while it is stopped. */
  isGuarded: boolean;
}

/** What `ReadTurns` knows of each socket. */
export const connections = new WeakMap<Socket, ReadConnection>();

/** Whether data of a connection may have arrived that is not read, because it waits for its turn. */
export const mayHaveUnread = (socket: Socket): boolean =>
  connections.get(socket)?.mayHaveUnread === true;
