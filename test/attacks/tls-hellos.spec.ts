import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { makeCertificate } from '../e2e/process/certificate';
import { Workshop } from '../e2e/process/programs';
import { atScale, figure } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';
import { helloMessage, record } from './hellos';
import { Attacker, closed } from './sockets';
import { usageOf } from './target';

/** Connections that begin a ClientHello. */
const CONNECTIONS = atScale(4900, 1000);
/** MB above rest that they may take. */
const MAX_MEMORY = 100;
/** Connections with many groups. */
const EXPENSIVE = atScale(300, 20);

/** The first 80 bytes of a ClientHello that declares 131,000. */
const LARGE = record(Buffer.concat([Buffer.from([1, 0x01, 0xff, 0xb8]), Buffer.alloc(76, 3)]));

/** A ClientHello of 60 KB, whose groups are compared with its key shares. */
const MANY_GROUPS = helloMessage({
  groups: Array.from({ length: 16_350 }, (_, index) => 0x2000 + index),
  shares: Array.from({ length: 3500 }, (_, index) => 0x2000 + 16_349 - index),
});

let workshop: Workshop;
let opened: TestDatabase;
let port: number;
let pid: number;
let attacker: Attacker;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  const made = makeCertificate('test');
  const files = { TLS_CERT: join(workshop.folder, 'cert'), TLS_KEY: join(workshop.folder, 'key') };
  await Promise.all([writeFile(files.TLS_CERT, made.cert), writeFile(files.TLS_KEY, made.key)]);
  const program = workshop.begin({
    DATABASE_URL: opened.url,
    TLS_HANDSHAKES_PER_SECOND: '10000',
    MAX_CONNECTIONS: '10000',
    ...files,
  });
  const [, found] = await program.said(/serves on https:\/\/localhost:(\d+) [^]*Ctrl-C\.\n/);
  port = Number(found);
  pid = Number(program.child.pid);
});
beforeEach(() => {
  attacker = new Attacker(port);
});
afterEach(() => {
  attacker.leave();
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});

/** Status of a request over a new connection. */
async function status(): Promise<number | undefined> {
  const options = { host: '127.0.0.1', path: '/healthz', rejectUnauthorized: false, agent: false };
  const [response] = (await once(get({ port, ...options }), 'response')) as [IncomingMessage];
  return response.resume().statusCode;
}

it('handshakes that declare a large ClientHello take no memory', async () => {
  expect(await status()).toBe(200);
  const rest = (await usageOf(pid)).memory;
  let most = rest;
  const sockets = [];
  while (sockets.length < CONNECTIONS) {
    sockets.push(...(await attacker.openMany(100, LARGE)));
    most = Math.max(most, (await usageOf(pid)).memory);
  }
  await Promise.all(sockets.map(closed));
  most = Math.max(most, (await usageOf(pid)).memory);
  figure(`${CONNECTIONS} large ClientHellos: MB above rest`, most - rest, { atMost: MAX_MEMORY });
  expect(await status()).toBe(200);
});

it('handshakes with many groups are closed', async () => {
  const fragments = [];
  for (let at = 0; at < MANY_GROUPS.length; at += 16_384) {
    fragments.push(record(MANY_GROUPS.subarray(at, at + 16_384)));
  }
  const sockets = await attacker.openMany(EXPENSIVE, Buffer.concat(fragments));
  expect(await status()).toBe(200);
  await Promise.all(sockets.map(closed));
  expect(sockets.every((socket) => socket.bytesRead === 0)).toBe(true);
});
