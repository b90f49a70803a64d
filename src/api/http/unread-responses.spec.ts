import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { UnreadResponses } from './unread-responses';

const LARGE = Buffer.alloc(20_000_000);
const LIMIT = 30_000_000;

const unread = new UnreadResponses(LIMIT);
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

it('closes the connections with the oldest large unread responses when they exceed the limit', async () => {
  await ask('/small');
  const oldest = await ask('/large');
  unread.closeSlowest();
  await new Promise(setImmediate);
  expect(await openConnections()).toBe(2);
  const newest = await ask('/large');
  unread.closeSlowest();
  oldest.resume();
  await once(oldest, 'close');
  expect(await openConnections()).toBe(2);
  newest.destroy();
});

it('counts responses that are queued behind others on the same connection', async () => {
  const one = await ask('/large', '/large');
  unread.closeSlowest();
  one.resume();
  await once(one, 'close');
  expect(one.bytesRead).toBeLessThan(LARGE.length);
});

it('closes connections of many small responses, too', async () => {
  const many = new UnreadResponses(300_000);
  const held: Socket[] = [];
  const small = createServer((request, response) => {
    held.push(request.socket);
    many.add(response);
    // Nothing leaves the process, as when the buffers of the system are full.
    request.socket.cork();
    response.write(Buffer.alloc(100_000));
  });
  await once(small.listen(0, '127.0.0.1'), 'listening');
  const clients: Socket[] = [];
  for (let count = 1; count <= 4; count += 1) {
    const client = connect((small.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    clients.push(client);
    await once(small, 'request');
  }
  many.closeSlowest();
  expect(held.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  for (const client of clients) client.destroy();
  small.close();
});

it('a connection has a time-out while its client does not read, also of a file without an end', async () => {
  const client = await ask('/endless');
  expect(accepted.at(-1)?.timeout).not.toBe(30_000);
  unread.closeSlowest();
  expect(accepted.at(-1)?.timeout).toBe(30_000);
  client.destroy();
});
