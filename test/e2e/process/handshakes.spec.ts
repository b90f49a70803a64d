import { once } from 'node:events';
import { type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { makeServer } from '../../../src/api/http/servers';
import { makeCertificate } from './certificate';

const SETTINGS = {
  HEADER_SECONDS: 1,
  REQUEST_SECONDS: 1,
  MAX_CONNECTIONS: 100,
  HTTP_PORT: undefined,
};

/** The beginning of a TLS record that holds a ClientHello of 512 bytes. */
const HALF_HELLO = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]);

let server: Server;
let port: number;
beforeAll(async () => {
  server = makeServer((_request, response) => response.end(), SETTINGS, makeCertificate('test'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

/** Sends bytes over a connection that is never encrypted, and waits until it is closed. */
async function send(bytes: Buffer | string): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(bytes);
  await once(socket, 'close');
}

it.each([
  ['nothing', ''],
  ['half a ClientHello', HALF_HELLO],
  ['plain HTTP', 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'],
])('a TLS handshake of %s is aborted, and its connection closed', async (_, bytes) => {
  await send(bytes);
  expect(await new Promise((resolve) => server.getConnections((_e, n) => resolve(n)))).toBe(0);
});
