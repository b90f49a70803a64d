import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to outgoing connections. A client that tries again and again
 * to reach a port of that range may be given the very port for its own end, and then keeps the
 * server from it.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 31_999;
/** Ports tried before it is given up. */
const TRIES = 100;

/**
 * Ports for the server of a cluster, best first: the one it had, then always the same ones, so that
 * whoever starts it again finds the port that others know.
 */
export function* portsFor(cluster: string, last?: number): Generator<number> {
  if (last !== undefined) yield last;
  for (let at = 0; at < TRIES; at++) {
    const digest = createHash('sha256').update(`${cluster}\0${at}`).digest();
    yield FIRST_PORT + (digest.readUInt32BE(0) % (LAST_PORT - FIRST_PORT + 1));
  }
}

/**
 * The first of these ports that is free on 127.0.0.1 now.
 *
 * @throws Error when none is.
 */
export async function freePort(ports: Iterable<number>): Promise<number> {
  let last: number | undefined;
  for (const port of ports) {
    if (await isFree(port)) return port;
    last = port;
  }
  throw new Error(`The embedded PostgreSQL cannot use port ${last}: another program has it.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
