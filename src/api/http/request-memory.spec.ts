import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import {
  CHUNKED,
  GET,
  INCOMPLETE,
  leave,
  LIMIT,
  send,
  TRAILER,
  useMemoryServer,
} from '../../../test/memory-server';

const post = (length: number, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${length}\r\n${more}\r\n`;
/** @param size with leading zeros */
const chunk = (data: string, size = data.length.toString(16)): string => `${size}\r\n${data}\r\n`;
/** A chunk whose size has 8 digits. */
const padded = (data: string): string => chunk(data, data.length.toString(16).padStart(8, '0'));

const site = useMemoryServer();

it.each<[string, string[]]>([
  ['a first head', [INCOMPLETE]],
  ['a head after a request', [GET, INCOMPLETE]],
  ['a head in the data of the body before it', [post(5), `hello${INCOMPLETE}`]],
  ['a head in the data of the request before it', [`${post(5)}hello${INCOMPLETE}`]],
  ['a head in the data of a chunked request', [`${CHUNKED}0\r\n\r\n${INCOMPLETE}`]],
  ['a head in the data of the end of a chunked body', [CHUNKED, `0\r\n\r\n${INCOMPLETE}`]],
  ['a head after trailers', [`${CHUNKED}0\r\nX: y\r\n\r\n${INCOMPLETE}`]],
])('counts the incomplete bytes of %s', async (_, texts) => {
  expect(await site.isClosedAfter(...texts)).toBe(true);
});

it.each(['body', 'response'])(
  'counts a large head until its response is complete: without its %s',
  async (missing) => {
    if (missing === 'response') site.handle = () => undefined;
    const large = post(5, `X: ${'x'.repeat(30_000)}\r\n`);
    expect(await site.isClosedAfter(`${large}${missing === 'body' ? 'hell' : 'hello'}`)).toBe(true);
    expect(site.handled).toBe(1);
    // Its response is complete.
    site.handle = (request, response) => void request.resume().on('end', () => response.end());
    expect(await site.isClosedAfter(`${large}hello`)).toBe(false);
  },
);

it('closes a connection with more than 100 trailers', async () => {
  const texts = [`${CHUNKED}0\r\n${'A: b\r\n'.repeat(125)}\r\n`];
  expect(await site.isClosedAfter(...texts)).toBe(true);
});

it('counts the parameters of a query', async () => {
  const many = post(5).replace('/', `/?${'a&'.repeat(600)}`);
  expect(await site.isClosedAfter(`${many}hell`)).toBe(true);
  expect(await site.isClosedAfter(`${many}hello`)).toBe(false);
});

it('counts the parameters of a small head until its response is complete', async () => {
  const many = GET.replace('/', `/?${'a&'.repeat(600)}`);
  expect(await site.isClosedAfter(many)).toBe(false);
  site.handle = () => undefined;
  expect(await site.isClosedAfter(many)).toBe(true);
});

it('counts the next head while a response is not complete', async () => {
  site.handle = () => undefined;
  expect(await site.isClosedAfter(GET, INCOMPLETE)).toBe(true);
});

it('counts small heads of one connection that wait together', async () => {
  site.handle = () => undefined;
  const small = `GET / HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(7000)}\r\n\r\n`;
  expect(await site.isClosedAfter(small, small, small, small, small)).toBe(true);
});

describe('bodies of requests that wait', () => {
  const waiting = `${post(15_000)}${'x'.repeat(15_000)}`;
  const inChunks = `${CHUNKED}${chunk('x'.repeat(15_000))}0\r\n\r\n`;

  it.each([
    ['with lengths', [waiting, waiting]],
    ['in chunks', [inChunks, inChunks]],
  ])('count: %s', async (_, texts) => {
    site.handle = () => undefined;
    expect(await site.isClosedAfter(GET, ...texts)).toBe(true);
    expect(site.handled).toBe(1);
  });

  it('do not count after they are read', async () => {
    const responses: ServerResponse[] = [];
    site.handle = (request, response) => {
      if (site.handled === 1) responses.push(response);
      else request.resume().on('end', () => response.end());
    };
    const one = await site.open();
    for (const text of [GET, waiting, waiting]) await send(one, text);
    responses[0]?.end();
    while (site.handled < 3) await new Promise(setImmediate);
    await send(one, GET);
    await site.closeLargest();
    expect(one.socket.destroyed).toBe(false);
    await leave(one);
  });
});

it('counts the body of a request whose handler does not read it yet', async () => {
  const text = `${post(100_000)}${'x'.repeat(30_000)}`;
  expect(await site.isClosedAfter(text)).toBe(false);
  site.handle = () => undefined;
  expect(await site.isClosedAfter(text)).toBe(true);
});

it.each<[string, string[]]>([
  ['a body that arrives', [post(100_000), 'x'.repeat(60_000)]],
  ['a body', [post(60_000), 'x'.repeat(60_000)]],
  ['a chunked body', [CHUNKED, chunk('x'.repeat(60_000)), '0\r\n\r\n']],
  ['many requests', Array<string>(20).fill(`${post(2000)}${'x'.repeat(2000)}`)],
])('does not count %s', async (_, texts) => {
  expect(await site.isClosedAfter(...texts)).toBe(false);
});

describe.each([['plain', false] as const, ['TLS', true] as const])('%s connections', (_, used) => {
  beforeEach(() => {
    site.usesTls = used;
  });

  // A proxy counts a server that closes connections without a response as failed.
  it('get a response when they are closed with a complete request', async () => {
    site.handle = () => undefined;
    const one = await site.open();
    let received = '';
    one.client.on('data', (data: Buffer) => (received += data.toString()));
    await send(one, `GET /x?y HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(30_000)}\r\n\r\n`);
    await site.closeLargest();
    expect(one.socket.destroyed).toBe(true);
    if (!one.client.closed) await once(one.client, 'close');
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(head).toMatch(/^Retry-After: [1-9]$/m);
    expect(head).toMatch(/^Connection: close$/m);
    expect(JSON.parse(body)).toMatchObject({ code: 999, request: 'GET /x' });
  });

  it.each<[string, string[]]>([
    ['trailers', [`${CHUNKED}${TRAILER}`]],
    ['trailers in later data', [CHUNKED, chunk('x'.repeat(60_000)), TRAILER]],
    ['trailers in the data of a chunk', [CHUNKED, `${chunk('x'.repeat(5000))}${TRAILER}`]],
    ['trailers of a GET', [`${CHUNKED.replace('POST', 'GET')}${TRAILER}`]],
  ])('count incomplete %s', async (__, texts) => {
    expect(await site.isClosedAfter(...texts)).toBe(true);
  });

  it('count the start of an incomplete body, and over TLS also a record', async () => {
    const text = `${post(100_000)}${'x'.repeat(15_000)}`;
    expect(await site.isClosedAfter(text)).toBe(used);
    const large = post(100_000, `X: ${'x'.repeat(7000)}\r\n`);
    expect(await site.isClosedAfter(`${large}${'x'.repeat(15_000)}`)).toBe(true);
    // A complete body does not count.
    expect(await site.isClosedAfter(`${post(15_000)}${'x'.repeat(15_000)}`)).toBe(false);
  });

  it('do not count chunks', async () => {
    const texts = Array.from({ length: 100 }, () => padded('x'.repeat(64)).repeat(100));
    // Over TLS the start of the body and a record exceed the limit.
    expect(await site.isClosedAfter(CHUNKED, ...texts)).toBe(used);
    expect(await site.isClosedAfter(CHUNKED, ...texts, '0\r\n\r\n')).toBe(false);
  });
});

it('counts trailers until the response is complete', async () => {
  const texts = [CHUNKED, `${TRAILER}\r\n\r\n`];
  expect(await site.isClosedAfter(...texts)).toBe(false);
  site.handle = () => undefined;
  expect(await site.isClosedAfter(...texts)).toBe(true);
  // The next requests show that the trailers were parsed.
  expect(await site.isClosedAfter(...texts, GET, GET)).toBe(true);
});

it('does not count chunks that arrive one by one', async () => {
  const texts = Array<string>(900).fill(padded('x'));
  expect(await site.isClosedAfter(CHUNKED, ...texts)).toBe(false);
});

it('counts trailers after chunks that arrive in parts', async () => {
  const parts = Array<string>(900).fill('x');
  const texts = [`${CHUNKED}384\r\n`, ...parts, `\r\n0\r\nX: ${'x'.repeat(LIMIT)}`];
  expect(await site.isClosedAfter(...texts)).toBe(true);
});

it.each<[string, string[]]>([
  ['body', [post(100_000), 'x'.repeat(60_000)]],
  ['chunked body that arrives', [CHUNKED, chunk('x'.repeat(60_000))]],
  ['chunked body', [CHUNKED, ...Array<string>(3).fill(chunk('x'.repeat(60_000))), '0\r\n\r\n']],
])('does not count a %s after an early response', async (_, texts) => {
  site.handle = (__, response) => void response.end('rejected');
  expect(await site.isClosedAfter(...texts)).toBe(false);
});

describe('a head whose response comes before its body', () => {
  const LARGE = `X: ${'x'.repeat(30_000)}\r\n`;
  beforeEach(() => {
    site.handle = (_, response) => void response.end('rejected');
  });

  it.each<[string, string[]]>([
    ['with a length', [post(100, LARGE), 'x'.repeat(50)]],
    ['in chunks', [CHUNKED.replace('\r\n\r\n', `\r\n${LARGE}\r\n`), chunk('x')]],
    ['with trailers', [CHUNKED, chunk('x'), TRAILER]],
  ])('counts until the body is complete: %s', async (_, texts) => {
    expect(await site.isClosedAfter(...texts)).toBe(true);
  });

  it('does not count after the body', async () => {
    expect(await site.isClosedAfter(post(100, LARGE), 'x'.repeat(50), 'x'.repeat(50))).toBe(false);
    expect(await site.isClosedAfter(CHUNKED, chunk('x'), `${TRAILER}\r\n\r\n`)).toBe(false);
  });
});

it('counts a chunked body that Node discards only until the next request', async () => {
  site.coalesces = false;
  site.handle = (_, response) => void response.end('rejected');
  const texts = [CHUNKED, chunk('x'.repeat(15_000)), '0\r\n\r\n'];
  expect(await site.isClosedAfter(...texts, ...texts, ...texts)).toBe(false);
  expect(await site.isClosedAfter(...texts, `${post(5)}hello${INCOMPLETE}`)).toBe(true);
});

it('counts a head after many requests without spaces in their headers', async () => {
  const fields = Array.from({ length: 90 }, (_, at) => `X${at}:b\r\n`).join('');
  // Each request comes with most of the next head, so that no request ends with the data.
  const head = `${post(0, fields)}`;
  const filler = `X: ${'x'.repeat(9000)}\r\n`;
  const begin = head.slice(0, -2) + filler;
  const texts = Array<string>(200).fill(`\r\n${begin}`);
  expect(await site.isClosedAfter(begin, ...texts, 'X: '.padEnd(24_000, 'x'))).toBe(true);
});

it('counts a head that grows with each small request before it', async () => {
  // Each data ends a large head, and has a small request and the begin of a larger head.
  const texts = Array.from({ length: 5 }, (_, at) => {
    const begin = `GET / HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(7500 * (at + 1))}`;
    return `${at === 0 ? '' : '\r\n\r\n'}${post(1)}y${begin}`;
  });
  expect(await site.isClosedAfter(...texts)).toBe(true);
});

it('closes the oldest connections of the client with the most', async () => {
  const all = [await site.open(), await site.open(), await site.open(), await site.open()];
  for (const one of all) await send(one, `GET / HTTP/1.1\r\nX: ${'x'.repeat(9000)}`);
  await site.closeLargest();
  expect(all.map(({ socket }) => socket.destroyed)).toEqual([true, false, false, false]);
  await Promise.all(all.map(leave));
});

it('closes many connections in several turns of the event loop', async () => {
  const all: Awaited<ReturnType<typeof site.open>>[] = [];
  for (let count = 0; count < 250; count += 1) all.push(await site.open());
  for (const one of all) await send(one, `GET / HTTP/1.1\r\nX: ${'x'.repeat(9000)}`);
  const open = (): number => all.filter(({ socket }) => !socket.destroyed).length;
  site.memory.closeLargest();
  expect(open()).toBe(150);
  await site.closeLargest();
  expect(open()).toBe(3);
  await Promise.all(all.map(leave));
});

it('idle connections over TLS count at most half of the limit', async () => {
  site.usesTls = true;
  const idle = [];
  for (let count = 0; count < 6; count += 1) idle.push(await site.open());
  site.usesTls = false;
  // 14,000 bytes, while the idle ones would count 30,000.
  expect(await site.isClosedAfter(`GET / HTTP/1.1\r\nX: ${'x'.repeat(14_000)}`)).toBe(false);
  await Promise.all(idle.map(leave));
});
