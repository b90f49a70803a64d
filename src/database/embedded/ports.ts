import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';

/**
 * Ports below the ephemeral range. A client that repeatedly connects to an ephemeral port may get
 * the same port as its source port, and then blocks it for the server.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 31_999;
/** Number of ports to try. */
const TRIES = 100;

/**
 * Ports for the server of a cluster, best first: its last port, then a fixed sequence. A restart
 * therefore uses the port that other processes know.
 */
export function* portsFor(cluster: string, last?: number): Generator<number> {
  if (last !== undefined) yield last;
  for (let at = 0; at < TRIES; at++) {
    const digest = createHash('sha256').update(`${cluster}\0${at}`).digest();
    yield FIRST_PORT + (digest.readUInt32BE(0) % (LAST_PORT - FIRST_PORT + 1));
  }
}

/**
 * The first of these ports that is free on 127.0.0.1.
 *
 * @throws Error when none is free
 */
export async function freePort(ports: Iterable<number>): Promise<number> {
  let last: number | undefined;
  for (const port of ports) {
    if (await isFree(port)) return port;
    last = port;
  }
  throw new Error(`The embedded PostgreSQL cannot use port ${last}: another program uses it.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    // Otherwise a worker listens through its parent process, which accepts connections of clients
    // that wait for the server. The end of the probe would then wait for them.
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** State of an open connection in /proc/net/tcp. */
const ESTABLISHED = '01';

/**
 * Whether another process of this machine has a connection to a port, even when the server does not
 * respond. Works on Linux only; undefined elsewhere.
 */
export async function hasOtherClients(port: number): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined;
  // Before the table: a socket that is closed meanwhile is not in the table.
  const own = await ownSockets();
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => undefined);
  if (table === undefined) return undefined;
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').some((line) => {
    const [, , address, state, , , , , , inode] = line.trim().split(/\s+/);
    return address?.endsWith(remote) && state === ESTABLISHED && !own.has(`socket:[${inode}]`);
  });
}

/** The sockets of this process, as /proc names them. */
async function ownSockets(): Promise<Set<string>> {
  const folder = '/proc/self/fd';
  const links = (await readdir(folder)).map((name) =>
    readlink(`${folder}/${name}`).catch(() => ''),
  );
  return new Set(await Promise.all(links));
}
