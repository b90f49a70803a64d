import { once } from 'node:events';
import { until } from '../faults/collectors';
import { atScale } from '../figures';
import { Attacker, closed } from './sockets';
import { Target } from './target';

const CONNECTIONS = atScale(2000, 20);

let target: Target;
let attacker: Attacker;
beforeAll(async () => {
  target = await Target.start({ MAX_CONNECTIONS: String(CONNECTIONS), LOG_LEVEL: 'warn' });
  attacker = new Attacker(target.port);
});
afterAll(async () => {
  attacker.leave();
  await target.close();
});

/** What the server sends to a client of an address; empty if it closes the connection at once. */
async function responseFor(from: string): Promise<string> {
  const socket = await attacker.open('', { from, reads: false });
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
  await closed(socket);
  return text;
}

it('connections beyond MAX_CONNECTIONS are closed at once, and the others are served', async () => {
  const rest = await target.usage();
  const fresh = () => fetch(`${target.origin}/healthz`, { headers: { connection: 'close' } });
  // The connection that calls are kept alive on may still be open.
  await attacker.openMany(CONNECTIONS + 1, 'GET /healthz HTTP/1.1\r\nHost: test\r\n');
  const [refused] = await attacker.openMany(1);
  if (!refused?.closed) await once(refused as NodeJS.EventEmitter, 'end');
  await expect(fresh()).rejects.toThrow();
  attacker.leave();
  await target.recover('connections beyond the maximum', rest);
  expect((await fresh()).status).toBe(200);
  // The log is written in batches.
  const warnings = () => target.server.program.stdout.match(/MAX_CONNECTIONS/g) ?? [];
  await until('the warning is written', () => warnings().length > 0);
  expect(warnings()).toHaveLength(1);
});

describe('when one address has all connections', () => {
  const OTHERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

  it.each(OTHERS)('serves a client of another address: %s', async (from) => {
    await attacker.openMany(CONNECTIONS, 'GET /healthz HTTP/1.1\r\nHost: test\r\n');
    expect(await responseFor(from)).toMatch(/^HTTP\/1\.1 200 /);
    attacker.leave();
  });

  it('closes connections of that address, and none of others', async () => {
    const few = await Promise.all(OTHERS.map((from) => attacker.open('', { from })));
    const many = await attacker.openMany(CONNECTIONS * 2);
    const isOpen = (socket: (typeof many)[number]): boolean => !socket.readableEnded;
    await until('connections are closed', () => many.filter(isOpen).length < CONNECTIONS);
    expect(few.filter(isOpen)).toHaveLength(OTHERS.length);
    attacker.leave();
  });
});

it('serves a client when many addresses have one connection each, and no other room is left', async () => {
  const addressOf = (index: number): string => `127.1.${index >> 8}.${index & 0xff}`;
  const many = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      attacker.open('', { from: addressOf(index) }),
    ),
  );
  // Beyond the maximum, each new connection closes another one.
  await until('a connection is closed', () => many.some((socket) => socket.readableEnded));
  expect(await responseFor('127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
  attacker.leave();
});

describe('behind a proxy, with workers', () => {
  const EACH = 20;
  let workers: Target;
  beforeAll(async () => {
    const settings = { TRUSTED_PROXIES: '1', WORKERS: '2', MAX_CONNECTIONS: String(EACH) };
    workers = await Target.start(settings);
  });
  afterAll(() => workers.close());

  it('connections beyond MAX_CONNECTIONS of each worker are closed at once', async () => {
    const clients = new Attacker(workers.port);
    const many = await clients.openMany(EACH * 10);
    const closedCount = (): number => many.filter((socket) => socket.readableEnded).length;
    await until('connections are closed', () => closedCount() >= EACH * 8);
    expect(closedCount()).toBeLessThan(EACH * 9);
    clients.leave();
  });
});
