import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { makeServer, maxConnections } from './servers';

const SETTINGS = { MAX_CONNECTIONS: 5000, HEADER_SECONDS: 30, REQUEST_SECONDS: 300 };

describe('maximum number of connections of a port', () => {
  it.each([
    [undefined, undefined, 5000],
    [1_048_576, undefined, 5000],
    [1024, undefined, 412],
    [1024, 80, 206],
    [100, undefined, 25],
  ])('%p descriptors, HTTP_PORT %p: %p', (descriptors, HTTP_PORT, expected) => {
    // Not given at all, the limit of this process is looked for, which is another test's matter.
    const limit = descriptors ?? Infinity;
    expect(maxConnections({ ...SETTINGS, HTTP_PORT }, limit)).toBe(expected);
  });
});

/** The end of a connection, also by a reset. */
const closeOf = (client: Socket): Promise<void> =>
  new Promise((resolve) => {
    client
      .on('error', () => undefined)
      .on('close', () => {
        resolve();
      });
  });

it.each([
  ['a body', [2000]],
  ['bodies together', [600, 600]],
])('closes a connection where %s in small chunks wait for an earlier request', async (_, sizes) => {
  const handled: (string | undefined)[] = [];
  const server = makeServer(({ url }) => void handled.push(url), SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  client.on('data', (piece) => (received += String(piece)));
  const closed = closeOf(client);
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: test\r\n`;
  const bodies = sizes.map(
    (chunks) =>
      `${head('POST /later')}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`,
  );
  client.write(`${head('GET /first')}\r\n${bodies.join('')}`);
  await closed;
  // A response would be that to the first request.
  expect([handled, received]).toEqual([['/first'], '']);
  server.close();
});

it('closes a connection that sends small chunks after the response', async () => {
  const handled: (string | undefined)[] = [];
  const server = makeServer(({ url }, response) => {
    handled.push(url);
    response.end('done');
  }, SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = closeOf(client);
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: test\r\n`;
  client.write(`${head('GET /first')}Transfer-Encoding: chunked\r\n\r\n`);
  // The response comes first.
  await once(client, 'data');
  client.write(`${'1\r\nx\r\n'.repeat(30_000)}0\r\n\r\n${head('GET /second')}\r\n`);
  await closed;
  expect(handled).toEqual(['/first']);
  server.close();
});

it('closes a connection with small chunks of many requests in quick succession', async () => {
  const handled: (string | undefined)[] = [];
  const server = makeServer(({ url }, response) => {
    handled.push(url);
    response.end('done');
  }, SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  const closed = closeOf(client);
  const body = `Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(600)}0\r\n\r\n`;
  client.write(`GET /first HTTP/1.1\r\nHost: test\r\n${body}`);
  await once(client, 'data');
  client.write(
    `GET /second HTTP/1.1\r\nHost: test\r\n${body}GET /third HTTP/1.1\r\nHost: test\r\n\r\n`,
  );
  await closed;
  expect(handled).not.toContain('/third');
  server.close();
});
