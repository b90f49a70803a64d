import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { UnreadResponses, type UnreadOptions } from './unread-responses';

const LARGE = Buffer.alloc(20_000_000);
const LIMIT = 30_000_000;

const unread = new UnreadResponses({ limit: LIMIT, spareMs: 0 });
const sockets: Socket[] = [];
const accepted: Socket[] = [];

/** A file that is longer than all buffers. */
function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}

const server = createServer((request, response) => {
  accepted.push(request.socket);
  unread.add(response);
  if (request.url === '/endless') {
    Readable.from(endless()).pipe(response);
    return;
  }
  response.end(request.url === '/large' ? LARGE : 'small');
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Sends requests, and reads nothing of the responses. */
async function ask(...paths: string[]): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const handled = once(server, 'request');
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join(''));
  await handled;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return socket;
}

/** How many connections the server has open. */
const openConnections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });

it('closes connections with the oldest large unread responses of an address when they exceed the limit', async () => {
  await ask('/small');
  const oldest = await ask('/large');
  unread.closeSlowest();
  await new Promise(setImmediate);
  expect(await openConnections()).toBe(2);
  // At once, because many large responses can follow before the next look.
  const newest = await ask('/large');
  oldest.resume();
  await once(oldest, 'close');
  expect(await openConnections()).toBe(2);
  newest.destroy();
});

it('spares a response that has just ended: its client may read fast', async () => {
  const sparing = new UnreadResponses({ limit: LIMIT });
  const other = createServer((_, response) => {
    sparing.add(response);
    response.end(LARGE);
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const clients = [0, 1].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
  const bytes = clients.map((client) => {
    let read = 0;
    client.on('data', (chunk: Buffer) => (read += chunk.length));
    client.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
    return once(client, 'close').then(() => read);
  });
  for (const read of await Promise.all(bytes)) expect(read).toBeGreaterThan(LARGE.length);
  other.close();
});

it('spares nothing beyond twice the limit', async () => {
  const [one, other] = [{ address: '192.0.2.1' }, { address: '192.0.2.2' }];
  const readers = [one, one, one, other, other, other].map((reader) => ({
    ...reader,
    bytes: 90_000,
  }));
  const spareMs = Infinity;
  expect(await closedOf(readers, { spareMs })).toEqual([]);
  expect(await closedOf([...readers, { ...other, bytes: 90_000 }], { spareMs })).toEqual([3]);
});

it('counts responses that are queued behind others on the same connection', async () => {
  const one = await ask('/large', '/large');
  unread.closeSlowest();
  one.resume();
  await once(one, 'close');
  expect(one.bytesRead).toBeLessThan(LARGE.length);
});

/** A client that asks for a response and reads nothing of it. */
interface Reader {
  /** Its address according to a proxy. */
  readonly address?: string;
  /** Bytes of the response. */
  readonly bytes?: number;
}

/** The indices of the readers whose connections are closed beyond 300 KB, the oldest first. */
async function closedOf(
  readers: readonly Reader[],
  { trustedProxies = 1, spareMs = 0 }: UnreadOptions = {},
): Promise<number[]> {
  const many = new UnreadResponses({ limit: 300_000, spareMs, trustedProxies });
  const held: Socket[] = [];
  const small = createServer((request, response) => {
    held.push(request.socket);
    many.add(response);
    // Nothing leaves the process, as when the buffers of the system are full.
    request.socket.cork();
    response.write(Buffer.alloc(Number(request.headers['x-bytes'])));
  });
  await once(small.listen(0, '127.0.0.1'), 'listening');
  const { port } = small.address() as AddressInfo;
  const clients: Socket[] = [];
  for (const { address = '192.0.2.1', bytes = 100_000 } of readers) {
    const client = connect(port, '127.0.0.1');
    const headers = `Host: test\r\nX-Forwarded-For: ${address}\r\nX-Bytes: ${bytes}\r\n`;
    client.on('error', () => undefined).write(`GET / HTTP/1.1\r\n${headers}\r\n`);
    clients.push(client);
    await once(small, 'request');
  }
  many.closeSlowest();
  for (const client of clients) client.destroy();
  small.close();
  return [...held.keys()].filter((index) => held[index]?.destroyed);
}

it('closes connections of many small responses, too', async () => {
  expect(await closedOf([{}, {}, {}, {}])).toEqual([0, 1]);
});

it('closes the oldest connections of the address with the most unread bytes', async () => {
  const [one, other] = [{ address: '192.0.2.1' }, { address: '192.0.2.2' }];
  expect(await closedOf([one, other, other])).toEqual([1]);
  expect(await closedOf([one, other, other, other])).toEqual([1, 2]);
  // Addresses with equally many: the oldest of all.
  expect(await closedOf([one, other, other, one])).toEqual([0, 1]);
  // The first address still has the most after its oldest response.
  expect(await closedOf([other, one, { ...one, bytes: 60_000 }, other, other])).toEqual([0, 3]);
});

/** All are below the share of 50 KB. The first one is the oldest, and has the most unread bytes. */
const oldestAnd = (addresses: readonly string[]): Reader[] => [
  { address: '203.0.113.1', bytes: 45_000 },
  ...addresses.map((address) => ({ address, bytes: 40_000 })),
];

const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];

it.each([
  { of: 'of a /48', addresses: EIGHT.map((n) => `2001:db8:1:${n}::1`), closed: [1, 2] },
  { of: 'of a /32', addresses: EIGHT.map((n) => `2001:db8:${n}::1`), closed: [1, 2] },
  { of: 'of several /32', addresses: EIGHT.map((n) => `2001:${n}::1`), closed: [0, 1] },
  { of: 'of IPv4', addresses: EIGHT.map((n) => `192.0.2.${n}`), closed: [0, 1] },
  {
    of: 'of a /48 that is below its share after one',
    addresses: EIGHT.map((n) => `2001:${n > 5 ? 'db8' : n}:1:${n}::1`),
    closed: [0, 6],
  },
])('closes the connections $closed of addresses $of', async ({ addresses, closed }) => {
  expect(await closedOf(oldestAnd(addresses))).toEqual(closed);
});

it('keeps responses below 16 KB, also of the address with the most unread bytes', async () => {
  const [one, other] = [{ address: '192.0.2.1' }, { address: '192.0.2.2' }];
  const many = new Array<Reader>(15).fill({ ...other, bytes: 10_000 });
  expect(await closedOf([one, ...many, other])).toEqual([16]);
});

it('without trusted proxies, the address is that of the connection', async () => {
  const [one, other] = [{ address: '192.0.2.1' }, { address: '192.0.2.2' }];
  expect(await closedOf([one, other, other], { trustedProxies: 0 })).toEqual([0]);
});

it('a connection has a time-out while its client does not read, also of a file without an end', async () => {
  const client = await ask('/endless');
  expect(accepted.at(-1)?.timeout).not.toBe(30_000);
  unread.closeSlowest();
  expect(accepted.at(-1)?.timeout).toBe(30_000);
  client.destroy();
});

it('closes a connection whose client reads nothing for 60 seconds, also if it sends data', async () => {
  const [idle, reader] = [await ask('/endless'), await ask('/endless')];
  const [toIdle, toReader] = accepted.slice(-2);
  unread.closeSlowest();
  const taken = toReader?.bytesWritten ?? 0;
  reader.resume();
  while ((toReader?.bytesWritten ?? 0) < taken + LARGE.length) await new Promise(setImmediate);
  const later = performance.now() + 61_000;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
  idle.write('x');
  unread.closeSlowest();
  clock.mockRestore();
  expect([toIdle?.destroyed, toReader?.destroyed]).toEqual([true, false]);
  idle.destroy();
  reader.destroy();
});
