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

it('closes a connection whose body in small chunks waits for the response to an earlier request', async () => {
  const handled: (string | undefined)[] = [];
  const server = makeServer(({ url }) => void handled.push(url), SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  client.on('data', (piece) => (received += String(piece))).on('error', () => undefined);
  const second = 'POST /second HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n';
  client.write(`GET /first HTTP/1.1\r\nHost: test\r\n\r\n${second}${'1\r\nx\r\n'.repeat(2000)}`);
  await once(client, 'close');
  // A response would be that to the first request.
  expect([handled, received]).toEqual([['/first'], '']);
  server.close();
});
