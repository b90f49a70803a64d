import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { makeCertificate } from '../e2e/process/certificate';
import { until, Workshop } from '../e2e/process/programs';
import { Factories } from '../factories/factories';
import { atScale } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';
import { usageOf } from './target';

/** Idle connections, each of which has received a response of 1 MB. */
const CONNECTIONS = atScale(750, 150);
/** Megabytes that they may hold together; with the memory for their responses they hold 1 MB each. */
const MAX_MEMORY = CONNECTIONS / 2;
/** Connections that receive their response at the same time. */
const TOGETHER = 5;

let workshop: Workshop;
let opened: TestDatabase;
let port: number;
let pid: number;
let path: string;
const sockets: TLSSocket[] = [];

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  const make = new Factories(opened.database);
  const book = await make.aBook();
  const { id: user } = await make.aUser();
  await opened.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT $1, $2, '', n, $3 FROM generate_series(1, 4) n`,
    [user, book, '"'.repeat(MAX_CONTENT)],
  );
  path = `/v2/book/${book}/annotations?count=4&format=html`;
  const made = makeCertificate('test');
  const files = { TLS_CERT: join(workshop.folder, 'cert'), TLS_KEY: join(workshop.folder, 'key') };
  await Promise.all([writeFile(files.TLS_CERT, made.cert), writeFile(files.TLS_KEY, made.key)]);
  const program = workshop.begin({
    DATABASE_URL: opened.url,
    KEEP_ALIVE_SECONDS: '600',
    TLS_HANDSHAKES_PER_SECOND: '10000',
    MAX_CONNECTIONS: '10000',
    ...files,
  });
  const [, found] = await program.said(/serves on https:\/\/localhost:(\d+) [^]*Ctrl-C\.\n/);
  port = Number(found);
  pid = Number(program.child.pid);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await workshop.close();
  await opened.close();
});

/** Receives a response, and keeps its connection open. @returns its size in bytes */
async function receive(): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  sockets.push(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  let head = '';
  let received = 0;
  let expected = Infinity;
  while (received < expected) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    received += bytes.length;
    if (expected < Infinity) continue;
    head += bytes.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    const [, length] = /Content-Length: (\d+)/.exec(head) ?? [];
    if (end >= 0) expected = end + 4 + Number(length);
  }
  return received;
}

it('idle connections of HTTPS do not hold memory for their responses', async () => {
  for (let count = 0; count < TOGETHER; count += 1) await receive();
  const rest = (await usageOf(pid)).memory;
  for (let count = 0; count < CONNECTIONS; count += TOGETHER) {
    const sizes = await Promise.all(Array.from({ length: TOGETHER }, receive));
    for (const size of sizes) expect(size).toBeGreaterThan(1_000_000);
  }
  // The garbage of an idle process is collected.
  await until(async () => (await usageOf(pid)).memory < rest + MAX_MEMORY);
  expect(sockets.every((socket) => socket.readable && socket.writable)).toBe(true);
});
