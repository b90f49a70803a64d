import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
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

it.each([
  ['a body', [2000]],
  ['bodies together', [600, 600]],
])('closes a connection where %s in small chunks wait for an earlier request', async (_, sizes) => {
  const handled: (string | undefined)[] = [];
  const server = makeServer(({ url }) => void handled.push(url), SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  client.on('data', (piece) => (received += String(piece))).on('error', () => undefined);
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: test\r\n`;
  const bodies = sizes.map(
    (chunks) =>
      `${head('POST /later')}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`,
  );
  client.write(`${head('GET /first')}\r\n${bodies.join('')}`);
  await once(client, 'close');
  // A response would be that to the first request.
  expect([handled, received]).toEqual([['/first'], '']);
  server.close();
});
