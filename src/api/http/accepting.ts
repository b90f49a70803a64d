import { type Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which new connections have priority over other work. */
export const ACCEPT_MS = 200;

let accepted = 0;

/** Watches the connections that a server accepts. */
export function watchAccepting(server: Server): void {
  server.on('connection', () => {
    accepted += 1;
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
