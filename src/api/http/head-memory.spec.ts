import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { HeadMemory, MAX_HEAD_BYTES } from './head-memory';
import { Pipelines } from './pipelines';

const LIMIT = 20_000;
/** The begin of a head that exceeds the limit, without its end. */
const INCOMPLETE = `GET / HTTP/1.1\r\nX: ${'x'.repeat(30_000)}`;
const post = (length: number, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${length}\r\n${more}\r\n`;

const heads = new HeadMemory(0, LIMIT);
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let handled: number;
const sockets: Socket[] = [];
const pipelines = new Pipelines();
const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
  heads.add(request, response);
  pipelines.enter(request, response, () => {
    handled += 1;
    handle(request, response);
  });
});
server.on('connection', (socket: Socket) => {
  sockets.push(socket);
});
heads.watch(server, false);
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
beforeEach(() => {
  handled = 0;
  sockets.length = 0;
  // Reads the body, then responds.
  handle = (request, response) => void request.resume().on('end', () => response.end('done'));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A client, with the server's side of its connection. */
async function open(): Promise<{ client: Socket; socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(server, 'connection');
  return { client, socket: sockets.at(-1) as Socket };
}

/** Sends text, and waits until the server has read it. */
async function send({ client, socket }: Awaited<ReturnType<typeof open>>, text: string) {
  const before = socket.bytesRead;
  client.write(text);
  while (socket.bytesRead < before + text.length) await new Promise(setImmediate);
  // Events of the parser follow in the next turns.
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

async function leave({ client, socket }: Awaited<ReturnType<typeof open>>): Promise<void> {
  client.destroy();
  // Not `once`, which would fail for the error of an incomplete request.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** Whether a connection on which a client has sent texts is closed. */
async function isClosedAfter(...texts: string[]): Promise<boolean> {
  const one = await open();
  for (const text of texts) await send(one, text);
  heads.closeLargest();
  const { destroyed } = one.socket;
  await leave(one);
  return destroyed;
}

it.each<[string, string[]]>([
  ['a first head', [INCOMPLETE]],
  ['a head after a request', ['GET / HTTP/1.1\r\nHost: test\r\n\r\n', INCOMPLETE]],
  ['a head in the data of the body before it', [post(5), `hello${INCOMPLETE}`]],
  ['a head in the data of the request before it', [`${post(5)}hello${INCOMPLETE}`]],
])('counts the incomplete bytes of %s', async (_, texts) => {
  expect(await isClosedAfter(...texts)).toBe(true);
});

it.each(['body', 'response'])(
  'counts a large head until its response is complete: without its %s',
  async (missing) => {
    if (missing === 'response') handle = () => undefined;
    const large = post(5, `X: ${'x'.repeat(30_000)}\r\n`);
    expect(await isClosedAfter(`${large}${missing === 'body' ? 'hell' : 'hello'}`)).toBe(true);
    expect(handled).toBe(1);
    // Its response is complete.
    handle = (request, response) => void request.resume().on('end', () => response.end());
    expect(await isClosedAfter(`${large}hello`)).toBe(false);
  },
);

it('counts the next head while a response is not complete', async () => {
  handle = () => undefined;
  expect(await isClosedAfter('GET / HTTP/1.1\r\nHost: test\r\n\r\n', INCOMPLETE)).toBe(true);
});

it('counts small heads of one connection that wait together', async () => {
  handle = () => undefined;
  const small = `GET / HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(7000)}\r\n\r\n`;
  expect(await isClosedAfter(small, small, small, small)).toBe(true);
});

it.each<[string, string[]]>([
  ['a body that arrives', [post(100_000), 'x'.repeat(60_000)]],
  ['a body', [post(60_000), 'x'.repeat(60_000)]],
  [
    'a chunked body',
    [
      'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n',
      `ea60\r\n${'x'.repeat(60_000)}\r\n`,
      '0\r\n\r\n',
    ],
  ],
  ['many requests', Array<string>(20).fill(`${post(2000)}${'x'.repeat(2000)}`)],
])('does not count %s', async (_, texts) => {
  expect(await isClosedAfter(...texts)).toBe(false);
});

it('does not count a body after an early response', async () => {
  handle = (_, response) => void response.end('rejected');
  expect(await isClosedAfter(post(100_000), 'x'.repeat(60_000))).toBe(false);
});

it('closes the oldest connections of the client with the most', async () => {
  const all = [await open(), await open(), await open()];
  for (const one of all) await send(one, `GET / HTTP/1.1\r\nX: ${'x'.repeat(9000)}`);
  heads.closeLargest();
  expect(all.map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
  await Promise.all(all.map(leave));
});
