import { once } from 'node:events';
import { type IncomingMessage, type Server } from 'node:http';
import { get } from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { makeServer } from '../../../src/api/http/servers';
import { makeCertificate } from './certificate';
import { until } from './until';

/** Handshakes of an address in a second. */
const PER_SECOND = 20;

const SETTINGS = {
  KEEP_ALIVE_SECONDS: 5,
  HEADER_SECONDS: 1,
  REQUEST_SECONDS: 1,
  MAX_CONNECTIONS: 100,
  HTTP_PORT: undefined,
  TLS_HANDSHAKES_PER_SECOND: PER_SECOND,
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

/** The bytes with which a client begins a handshake. */
async function helloBytes(): Promise<Buffer> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  const { port: plain } = listener.address() as AddressInfo;
  const client = connectTls({ port: plain, host: '127.0.0.1', rejectUnauthorized: false });
  client.on('error', () => undefined);
  const [socket] = await accepted;
  const [hello] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  listener.close();
  return hello;
}

it('handshakes of one address beyond its limit wait, and do not delay those of others', async () => {
  const hello = await helloBytes();
  let answered = 0;
  const handshakes = Array.from({ length: 4 * PER_SECOND }, async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' });
    socket.write(hello);
    await once(socket, 'data');
    answered += 1;
    socket.destroy();
  });
  // Those of clients that have left are not begun.
  const left = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' });
  left.on('error', () => undefined);
  const closed = once(left.resume(), 'close');
  left.end();
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false }, resolve).on(
      'error',
      reject,
    );
  });
  expect((await response).resume().statusCode).toBe(200);
  expect(answered).toBeLessThan(handshakes.length);
  await Promise.all(handshakes);
  await closed;
});

describe('a connection that waits for its handshake', () => {
  const FROM = '127.0.0.10';
  /** Bytes that fit into the buffers of the kernel. */
  const MANY = Buffer.alloc(100_000, HALF_HELLO[0]);
  let accepted: Socket[];
  let clients: Socket[];
  const watch = (socket: Socket): void => void accepted.push(socket);
  beforeEach(async () => {
    accepted = [];
    server.on('connection', watch);
    const hello = await helloBytes();
    // The first take all handshakes of the window. The others wait.
    clients = Array.from({ length: 3 * PER_SECOND }, () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: FROM });
      socket.write(hello);
      return socket.on('error', () => undefined).resume();
    });
    await Promise.all(clients.map((client) => once(client, 'connect')));
    await until(() => Promise.resolve(accepted.length === clients.length));
  });
  afterEach(async () => {
    server.off('connection', watch);
    for (const client of clients) client.destroy();
    await until(() => Promise.resolve(accepted.every(({ closed }) => closed)));
  });

  const waitingPairs = (): [client: Socket, socket: Socket][] =>
    accepted.slice(-PER_SECOND).map((socket) => {
      const client = clients.find(({ localPort }) => localPort === socket.remotePort);
      return [client as Socket, socket];
    });

  it('is closed without a response when its client sends more than a ClientHello', async () => {
    const pairs = waitingPairs();
    await until(() => Promise.resolve(pairs.every(([, socket]) => socket.bytesRead > 0)));
    for (const [client] of pairs) client.write(MANY);
    await until(() => Promise.resolve(pairs.every(([, socket]) => socket.closed)));
    const answered = pairs.filter(([client]) => client.bytesRead > 0);
    expect(answered.length).toBeLessThan(PER_SECOND / 2);
  });
});

it.each([
  ['nothing', ''],
  ['half a ClientHello', HALF_HELLO],
  ['plain HTTP', 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'],
])('a TLS handshake of %s is aborted, and its connection closed', async (_, bytes) => {
  await send(bytes);
  expect(await new Promise((resolve) => server.getConnections((_e, n) => resolve(n)))).toBe(0);
});

it('a client cannot renegotiate a connection', async () => {
  const client = connectTls({
    ...{ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' },
  });
  await once(client, 'secureConnect');
  const failed = once(client, 'error');
  client.renegotiate({ rejectUnauthorized: false }, () => undefined);
  expect(await failed).toMatchObject([{ code: 'ERR_SSL_NO_RENEGOTIATION' }]);
  client.destroy();
});
