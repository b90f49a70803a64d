import { type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which new connections have priority over other work. */
export const ACCEPT_MS = 200;

let accepted = 0;

/** Maximum milliseconds for which no new connection is read while more are accepted. */
const MAX_PAUSE_MS = 1000;

/** Number of new connections that are read for the first time in a turn of the event loop. */
const READ_PER_TURN = 20;

/** Milliseconds after which more are read in a turn, so that requests are refused soon if at all. */
const READ_SLOWLY_MS = 150;
const READ_LATER_PER_TURN = 400;

/** New connections that are not read yet, since when, and the number accepted a turn before. */
const paused: Socket[] = [];
let pausedAt = 0;
let acceptedBefore = 0;
let readingSince: number | undefined;

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

/** Reads the paused connections once no other was accepted in a turn of the event loop. */
function resumeWhenAccepted(): void {
  if (accepted !== acceptedBefore && performance.now() < pausedAt + MAX_PAUSE_MS) {
    acceptedBefore = accepted;
    setImmediate(resumeWhenAccepted);
    return;
  }
  // Some per turn, so that the first requests have used the database before the last are read.
  const now = performance.now();
  readingSince ??= now;
  const number = now < readingSince + READ_SLOWLY_MS ? READ_PER_TURN : READ_LATER_PER_TURN;
  for (const socket of paused.splice(0, number)) {
    waited.set(socket, now - pausedAt);
    socket.resume();
  }
  if (paused.length > 0) setImmediate(resumeWhenAccepted);
  else readingSince = undefined;
}

/**
 * Watches the connections that a server accepts. Requests of new connections are read when no more
 * connections wait. Node accepts one connection per turn of the event loop. The requests of a
 * thousand clients that connect at once would make these turns long.
 */
export function watchAccepting(server: Server): void {
  server.on('connection', (socket) => {
    accepted += 1;
    // Node resumes a new connection in the next tick.
    process.nextTick(() => {
      socket.pause();
      if (paused.push(socket) > 1) return;
      pausedAt = performance.now();
      setImmediate(resumeWhenAccepted);
    });
  });
}

/** Number of connections accepted since the process started. */
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
