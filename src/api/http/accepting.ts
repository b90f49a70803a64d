import { type Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which new connections go before other work. */
export const ACCEPT_MS = 200;

let accepted = 0;

/** Watches the connections that a server accepts. */
export function watchAccepting(server: Server): void {
  server.on('connection', () => {
    accepted += 1;
  });
}

/** Connections that were accepted since the process started. */
export const acceptedConnections = (): number => accepted;

/**
 * Waits for the next turn of the event loop; while connections are being accepted, for some more.
 * Node accepts one connection for each turn: beside work that fills every turn, a hundred clients
 * that come at once would wait for seconds.
 */
export async function nextTurn(): Promise<void> {
  const end = performance.now() + ACCEPT_MS;
  for (let before = -1; before !== accepted && performance.now() < end;) {
    before = accepted;
    await turn();
  }
}
