import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { UnreadResponses } from './unread-responses';

const LARGE = Buffer.alloc(20_000_000);
const LIMIT = 30_000_000;

const unread = new UnreadResponses(LIMIT);
const sockets: Socket[] = [];
const server = createServer((request, response) => {
  unread.add(response);
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
  const accepted = once(server, 'request');
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join(''));
  await accepted;
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
