import { type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';

/** Milliseconds for which new connections have priority over other work. */
export const ACCEPT_MS = 200;

/** Changes with each accepted connection, and again when the server takes it. */
let accepted = 0;

/**
 * Maximum milliseconds for which no paused connection is read while more are accepted, and
 * milliseconds for which they are read before more are accepted again.
 */
const MAX_PAUSE_MS = 500;
const READ_MS = 100;

/** Milliseconds of accepting connections in a row after which work waits for its end. */
const MANY_MS = 20;

/** Number of paused connections that are read in a turn of the event loop. */
const READ_PER_TURN = 20;

/** Milliseconds after which more are read in a turn, so that the server rejects requests early. */
const READ_SLOWLY_MS = 100;
const READ_LATER_PER_TURN = 400;

/** A connection that is not read at the moment. */
interface Paused {
  /** Undefined for an encrypted connection, which TLS reads itself. */
  readonly socket: Socket | undefined;
  /** For new connections: since when their clients may have waited. */
  readonly since: number | undefined;
}

/** Connections in the order in which they will be read. */
const paused: Paused[] = [];
let acceptedBefore = 0;
/** Time of the first of the connections that are accepted in a row. */
let acceptingSince: number | undefined;
/** Start of the current pause and of the reading that follows it. */
let pausedSince: number | undefined;
let readingSince: number | undefined;
/** Whether paused connections were read since the start of the current pause. */
let hasRead = false;

/**
 * Milliseconds that connections waited before they were read for the first time. Those that are
 * accepted in a row may have waited since the first of them.
 */
const waited = new WeakMap<Socket, number>();

/** @returns the milliseconds that the connection waited, for its first request; 0 for later ones */
export function takeWaited(socket: Socket): number {
  const milliseconds = waited.get(socket) ?? 0;
  waited.delete(socket);
  return milliseconds;
}

/** Called at the end of the current pause. */
let waitingForEnd: (() => void)[] = [];

/**
 * Waits while many connections are being accepted. Database results would make the turns of the
 * event loop long, so requests that could get a database connection wait as well.
 *
 * @returns undefined when there is nothing to wait for
 */
export function waitForBacklog(): Promise<void> | undefined {
  if (pausedSince === undefined) return undefined;
  const pausedMs = performance.now() - pausedSince;
  if (pausedMs < MANY_MS || pausedMs > MAX_PAUSE_MS) return undefined;
  return new Promise((resolve) => waitingForEnd.push(resolve));
}

/** @returns whether more connections may wait, which are accepted before paused ones are read */
function mustAccept(now: number): boolean {
  if (accepted === acceptedBefore) {
    acceptingSince = undefined;
    pausedSince = undefined;
    return false;
  }
  acceptedBefore = accepted;
  // Without a maximum, clients that reconnect immediately could keep connections paused forever. A
  // pause ends only after a read, which a long turn of the event loop would otherwise skip.
  const isOver = pausedSince !== undefined && hasRead && now > pausedSince + MAX_PAUSE_MS + READ_MS;
  if (pausedSince === undefined || isOver) {
    pausedSince = now;
    hasRead = false;
  }
  return now < pausedSince + MAX_PAUSE_MS;
}

/** Reads paused connections, unless another connection was accepted in the last turn. */
function readPaused(): void {
  const now = performance.now();
  if (mustAccept(now)) {
    setImmediate(readPaused);
    return;
  }
  const resolvers = waitingForEnd;
  waitingForEnd = [];
  for (const resolve of resolvers) resolve();
  hasRead = true;
  // Some per turn, so that the first requests have used the database before the last are read.
  readingSince ??= now;
  const number = now < readingSince + READ_SLOWLY_MS ? READ_PER_TURN : READ_LATER_PER_TURN;
  for (const { socket, since } of paused.splice(0, number)) {
    if (!socket) continue;
    if (since !== undefined) waited.set(socket, now - since);
    socket.resume();
  }
  if (paused.length > 0) {
    setImmediate(readPaused);
  } else {
    acceptingSince = undefined;
    pausedSince = undefined;
    readingSince = undefined;
  }
}

function pause(socket: Socket | undefined, since?: number): void {
  socket?.pause();
  if (paused.push({ socket, since }) === 1) setImmediate(readPaused);
}

/**
 * Reads the next request of a connection after those of the connections that wait already. Clients
 * whose requests were refused and who request again must not keep others from being accepted.
 */
export function readLater(socket: Socket): void {
  if (!socket.destroyed && !socket.isPaused()) pause(socket);
}

/** Call it for each connection that the process accepts, also if the server takes it later or never. */
export function countAccepted(): void {
  accepted += 1;
}

/**
 * Accepts the listen backlog before requests are read: requests of new connections are read when no
 * more connections wait. Node accepts one connection per turn of the event loop. The requests of a
 * thousand clients that connect at once would make these turns long.
 */
export function prioritizeAccepting(server: Server): void {
  const encrypted = server instanceof TlsServer;
  server.on('connection', (socket) => {
    countAccepted();
    const since = (acceptingSince ??= performance.now());
    // Node resumes a new connection in the next tick.
    process.nextTick(() => {
      pause(encrypted ? undefined : socket, since);
    });
  });
}

/** A number that changes with each connection that is accepted or taken by a server. */
export const acceptedConnections = (): number => accepted;

/**
 * Waits for the next turn of the event loop, or for several while connections are being accepted.
 * Node accepts one connection per turn: if work fills every turn, a hundred new clients would wait
 * for seconds.
 */
export async function nextTurn(): Promise<void> {
  const end = performance.now() + ACCEPT_MS;
  for (let before = -1; before !== accepted && performance.now() < end;) {
    before = accepted;
    await turn();
  }
}
