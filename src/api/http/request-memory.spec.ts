import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from '../../../test/e2e/process/certificate';
import { RequestMemory, MAX_HEAD_BYTES } from './request-memory';
import { Pipelines } from './pipelines';
import { coalesceChunks, hasBodyHeaders } from './small-chunks';

const LIMIT = 20_000;
/** The begin of a head that exceeds the limit, without its end. */
const INCOMPLETE = `GET / HTTP/1.1\r\nX: ${'x'.repeat(30_000)}`;
const post = (length: number, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${length}\r\n${more}\r\n`;
const CHUNKED = 'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n';
/** @param size with leading zeros */
const chunk = (data: string, size = data.length.toString(16)): string => `${size}\r\n${data}\r\n`;
/** A chunk whose size has 8 digits. */
const padded = (data: string): string => chunk(data, data.length.toString(16).padStart(8, '0'));
const GET = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
/** The last chunk and the begin of a trailer that exceeds the limit. */
const TRAILER = `0\r\nX: ${'x'.repeat(30_000)}`;

const memory = new RequestMemory(0, LIMIT);
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let handled: number;
/** Whether small chunks are coalesced. Otherwise Node discards a body after an early response. */
let coalesces: boolean;
const sockets: Socket[] = [];
const pipelines = new Pipelines();
function listener(request: IncomingMessage, response: ServerResponse): void {
  const withBody = hasBodyHeaders(request);
  if (withBody && coalesces) coalesceChunks(request, response);
  memory.add(request, response, withBody);
  pipelines.enter(request, response, () => {
    handled += 1;
    handle(request, response);
  });
}
const plain = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, listener);
const tls = createHttpsServer(
  { maxHeaderSize: MAX_HEAD_BYTES, ...makeCertificate('test') },
  listener,
);
plain.on('connection', (socket: Socket) => sockets.push(socket));
tls.on('secureConnection', (socket: Socket) => sockets.push(socket));
memory.watch(plain, false);
memory.watch(tls, true);
let server: Server;
beforeAll(async () => {
  // Only the tests check: a check before a body is complete would close its connection.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  await Promise.all([plain, tls].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')));
  jest.useRealTimers();
});
beforeEach(() => {
  handled = 0;
  server = plain;
  coalesces = true;
  sockets.length = 0;
  // Reads the body, then responds.
  handle = (request, response) => void request.resume().on('end', () => response.end('done'));
});
afterAll(() => {
  for (const one of [plain, tls]) {
    one.closeAllConnections();
    one.close();
  }
});

/** A client, with the server's side of its connection. */
async function open(): Promise<{ client: Socket; socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const to = { port, host: '127.0.0.1', rejectUnauthorized: false };
  const client = server === tls ? connectTls(to) : connect(to);
  client.on('error', () => undefined);
  await once(server, server === tls ? 'secureConnection' : 'connection');
  return { client, socket: sockets.at(-1) as Socket };
}

/** Sends text, and waits until the server has read it or closed the connection. */
async function send({ client, socket }: Awaited<ReturnType<typeof open>>, text: string) {
  const before = socket.bytesRead;
  client.write(text);
  while (!socket.destroyed && socket.bytesRead < before + text.length)
    await new Promise(setImmediate);
  // Events of the parser follow in the next turns.
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

async function leave({ client, socket }: Awaited<ReturnType<typeof open>>): Promise<void> {
  client.destroy();
  // Node does not notice the end of a connection that it does not read.
  socket.destroy();
  // Not `once`, which would fail for the error of an incomplete request.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** Whether a connection on which a client has sent texts is closed. */
async function isClosedAfter(...texts: string[]): Promise<boolean> {
  const one = await open();
  for (const text of texts) await send(one, text);
  memory.closeLargest();
  const { destroyed } = one.socket;
  await leave(one);
  return destroyed;
}

it.each<[string, string[]]>([
  ['a first head', [INCOMPLETE]],
  ['a head after a request', [GET, INCOMPLETE]],
  ['a head in the data of the body before it', [post(5), `hello${INCOMPLETE}`]],
  ['a head in the data of the request before it', [`${post(5)}hello${INCOMPLETE}`]],
  ['a head in the data of a chunked request', [`${CHUNKED}0\r\n\r\n${INCOMPLETE}`]],
  ['a head in the data of the end of a chunked body', [CHUNKED, `0\r\n\r\n${INCOMPLETE}`]],
  ['a head after trailers', [`${CHUNKED}0\r\nX: y\r\n\r\n${INCOMPLETE}`]],
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

describe('copies of heads in the parser', () => {
  /** A request with a large field at a place. */
  const large = (place: number): string =>
    GET.replace('Host', `${'A: b\r\n'.repeat(place)}X: ${'x'.repeat(15_000)}\r\nHost`);

  it('count after the response', async () => {
    expect(await isClosedAfter(large(0), large(1), large(2), GET)).toBe(true);
  });

  it('count once for the same field', async () => {
    expect(await isClosedAfter(large(1), large(1), large(1))).toBe(false);
  });

  it('are freed with the connection: its parser is not used again', async () => {
    const parserAfter = async (text: string): Promise<unknown> => {
      const one = await open();
      await send(one, text);
      const { parser } = one.socket as unknown as { parser: unknown };
      await leave(one);
      return parser;
    };
    const small = await parserAfter(GET);
    const first = await parserAfter(large(0));
    const second = await parserAfter(GET);
    expect([first === small, second === first]).toEqual([true, false]);
  });
});

it('counts the parameters of a query', async () => {
  const many = post(5).replace('/', `/?${'a&'.repeat(400)}`);
  expect(await isClosedAfter(`${many}hell`)).toBe(true);
  expect(await isClosedAfter(`${many}hello`)).toBe(false);
});

it('counts the next head while a response is not complete', async () => {
  handle = () => undefined;
  expect(await isClosedAfter(GET, INCOMPLETE)).toBe(true);
});

it('counts small heads of one connection that wait together', async () => {
  handle = () => undefined;
  const small = `GET / HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(7000)}\r\n\r\n`;
  expect(await isClosedAfter(small, small, small, small)).toBe(true);
});

describe('bodies of requests that wait', () => {
  const waiting = `${post(15_000)}${'x'.repeat(15_000)}`;
  const inChunks = `${CHUNKED}${chunk('x'.repeat(15_000))}0\r\n\r\n`;

  it.each([
    ['with lengths', [waiting, waiting]],
    ['in chunks', [inChunks, inChunks]],
  ])('count: %s', async (_, texts) => {
    handle = () => undefined;
    expect(await isClosedAfter(GET, ...texts)).toBe(true);
    expect(handled).toBe(1);
  });

  it('do not count after they are read', async () => {
    const responses: ServerResponse[] = [];
    handle = (request, response) => {
      if (handled === 1) responses.push(response);
      else request.resume().on('end', () => response.end());
    };
    const one = await open();
    for (const text of [GET, waiting, waiting]) await send(one, text);
    responses[0]?.end();
    while (handled < 3) await new Promise(setImmediate);
    await send(one, GET);
    memory.closeLargest();
    expect(one.socket.destroyed).toBe(false);
    await leave(one);
  });
});

it('does not count the body of a request that is handled', async () => {
  handle = () => undefined;
  expect(await isClosedAfter(`${post(100_000)}${'x'.repeat(30_000)}`)).toBe(false);
});

it.each<[string, string[]]>([
  ['a body that arrives', [post(100_000), 'x'.repeat(60_000)]],
  ['a body', [post(60_000), 'x'.repeat(60_000)]],
  ['a chunked body', [CHUNKED, chunk('x'.repeat(60_000)), '0\r\n\r\n']],
  ['many requests', Array<string>(20).fill(`${post(2000)}${'x'.repeat(2000)}`)],
])('does not count %s', async (_, texts) => {
  expect(await isClosedAfter(...texts)).toBe(false);
});

describe.each([['plain', plain] as const, ['TLS', tls] as const])('%s connections', (_, used) => {
  beforeEach(() => {
    server = used;
  });

  it.each<[string, string[]]>([
    ['trailers', [`${CHUNKED}${TRAILER}`]],
    ['trailers in later data', [CHUNKED, chunk('x'.repeat(60_000)), TRAILER]],
    ['trailers in the data of a chunk', [CHUNKED, `${chunk('x'.repeat(5000))}${TRAILER}`]],
    ['trailers of a GET', [`${CHUNKED.replace('POST', 'GET')}${TRAILER}`]],
  ])('count incomplete %s', async (__, texts) => {
    expect(await isClosedAfter(...texts)).toBe(true);
  });

  it('do not count chunks', async () => {
    const texts = Array.from({ length: 100 }, () => padded('x'.repeat(64)).repeat(100));
    expect(await isClosedAfter(CHUNKED, ...texts)).toBe(false);
    expect(await isClosedAfter(CHUNKED, ...texts, '0\r\n\r\n')).toBe(false);
  });
});

it('counts trailers until the response is complete', async () => {
  const texts = [CHUNKED, `${TRAILER}\r\n\r\n`];
  expect(await isClosedAfter(...texts)).toBe(false);
  handle = () => undefined;
  expect(await isClosedAfter(...texts)).toBe(true);
  // The next requests show that the trailers were parsed.
  expect(await isClosedAfter(...texts, GET, GET)).toBe(true);
});

it('does not count chunks that arrive one by one', async () => {
  const texts = Array<string>(900).fill(padded('x'));
  expect(await isClosedAfter(CHUNKED, ...texts)).toBe(false);
});

it('counts trailers after chunks that arrive in parts', async () => {
  const parts = Array<string>(900).fill('x');
  const texts = [`${CHUNKED}384\r\n`, ...parts, `\r\n0\r\nX: ${'x'.repeat(LIMIT)}`];
  expect(await isClosedAfter(...texts)).toBe(true);
});

it.each<[string, string[]]>([
  ['body', [post(100_000), 'x'.repeat(60_000)]],
  ['chunked body that arrives', [CHUNKED, chunk('x'.repeat(60_000))]],
  ['chunked body', [CHUNKED, ...Array<string>(3).fill(chunk('x'.repeat(60_000))), '0\r\n\r\n']],
])('does not count a %s after an early response', async (_, texts) => {
  handle = (__, response) => void response.end('rejected');
  expect(await isClosedAfter(...texts)).toBe(false);
});

describe('a head whose response comes before its body', () => {
  const LARGE = `X: ${'x'.repeat(30_000)}\r\n`;
  beforeEach(() => {
    handle = (_, response) => void response.end('rejected');
  });

  it.each<[string, string[]]>([
    ['with a length', [post(100, LARGE), 'x'.repeat(50)]],
    ['in chunks', [CHUNKED.replace('\r\n\r\n', `\r\n${LARGE}\r\n`), chunk('x')]],
    ['with trailers', [CHUNKED, chunk('x'), TRAILER]],
  ])('counts until the body is complete: %s', async (_, texts) => {
    expect(await isClosedAfter(...texts)).toBe(true);
  });

  it('does not count after the body', async () => {
    expect(await isClosedAfter(post(100, LARGE), 'x'.repeat(50), 'x'.repeat(50))).toBe(false);
    expect(await isClosedAfter(CHUNKED, chunk('x'), `${TRAILER}\r\n\r\n`)).toBe(false);
  });
});

it('counts a chunked body that Node discards only until the next request', async () => {
  coalesces = false;
  handle = (_, response) => void response.end('rejected');
  const texts = [CHUNKED, chunk('x'.repeat(15_000)), '0\r\n\r\n'];
  expect(await isClosedAfter(...texts, ...texts, ...texts)).toBe(false);
  expect(await isClosedAfter(...texts, `${post(5)}hello${INCOMPLETE}`)).toBe(true);
});

it('counts a head after many requests without spaces in their headers', async () => {
  const fields = Array.from({ length: 90 }, (_, at) => `X${at}:b\r\n`).join('');
  // Each request comes with most of the next head, so that no request ends with the data.
  const head = `${post(0, fields)}`;
  const filler = `X: ${'x'.repeat(9000)}\r\n`;
  const begin = head.slice(0, -2) + filler;
  const texts = Array<string>(200).fill(`\r\n${begin}`);
  expect(await isClosedAfter(begin, ...texts, 'X: '.padEnd(14_000, 'x'))).toBe(true);
});

it('counts a head that grows with each small request before it', async () => {
  // Each data ends a large head, and has a small request and the begin of a larger head.
  const texts = Array.from({ length: 5 }, (_, at) => {
    const begin = `GET / HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(7500 * (at + 1))}`;
    return `${at === 0 ? '' : '\r\n\r\n'}${post(1)}y${begin}`;
  });
  expect(await isClosedAfter(...texts)).toBe(true);
});

it('closes the oldest connections of the client with the most', async () => {
  const all = [await open(), await open(), await open()];
  for (const one of all) await send(one, `GET / HTTP/1.1\r\nX: ${'x'.repeat(9000)}`);
  memory.closeLargest();
  expect(all.map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
  await Promise.all(all.map(leave));
});
