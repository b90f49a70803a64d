import { once } from 'node:events';
import { type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { helloMessage, record } from '../../../test/attacks/hellos';
import { makeCertificate } from '../../../test/e2e/process/certificate';
import { until } from '../../../test/e2e/process/until';
import { makeServer } from './servers';
import { ADMISSION_OPTIONS, TlsAdmission } from './tls-admission';
import { TlsHandshakes } from './tls-handshakes';

const SETTINGS = {
  KEEP_ALIVE_SECONDS: 5,
  HEADER_SECONDS: 60,
  REQUEST_SECONDS: 60,
  MAX_CONNECTIONS: 100,
  HTTP_PORT: undefined,
};

const certificate = makeCertificate('test');

/** A ClientHello without a key share, to which the server responds with HelloRetryRequest. */
const MESSAGE = helloMessage({ groups: [0x1d, 0x17] });
const WITHOUT_SHARE = record(MESSAGE);

let server: Server;
let port: number;
const sockets: Socket[] = [];

async function listen(made: Server): Promise<void> {
  server = made.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
}

function open(from = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  sockets.push(socket);
  return socket.on('error', () => undefined);
}

/** Opens a connection, and waits until the server has it. */
async function openAccepted(from?: string): Promise<Socket> {
  const accepted = once(server, 'connection');
  const socket = open(from);
  await accepted;
  return socket;
}

async function secure(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  sockets.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

/** Sends a request. @returns the first line of the response */
async function request(socket: TLSSocket): Promise<string | undefined> {
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('latin1').split('\r\n')[0];
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, 'close');
});

describe.each([
  ['with a limit of handshakes', { TLS_HANDSHAKES_PER_SECOND: 20 }],
  ['behind proxies', { TLS_HANDSHAKES_PER_SECOND: 20, TRUSTED_PROXIES: 1 }],
])('a TLS server %s', (_name, settings) => {
  beforeEach(async () => {
    await listen(
      makeServer((_request, response) => response.end(), { ...SETTINGS, ...settings }, certificate),
    );
  });

  it.each<[name: string, options: ConnectionOptions]>([
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
    ['TLS 1.3', { minVersion: 'TLSv1.3' }],
    ['a protocol and a host', { ALPNProtocols: ['http/1.1'], servername: 'test' }],
    ['another curve than the preferred one', { ecdhCurve: 'P-384:P-256' }],
    ['a key share of a finite field', { ecdhCurve: 'ffdhe2048:X25519' }],
  ])('responds to clients with %s', async (_client, options) => {
    expect(await request(await secure(options))).toBe('HTTP/1.1 200 OK');
  });

  it('uses the key share of a client, also if it prefers another group', async () => {
    const socket = await secure({ ecdhCurve: 'P-384:P-256' });
    expect(socket.getEphemeralKeyInfo()).toMatchObject({ name: 'secp384r1' });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes sessions of %s', async (version) => {
    let session: Buffer | undefined;
    const first = connectTls({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: version,
    });
    sockets.push(first.on('session', (received) => (session = received)));
    await request(first);
    const second = await secure({ minVersion: version, maxVersion: version, session });
    expect(second.isSessionReused()).toBe(true);
    expect(await request(second)).toBe('HTTP/1.1 200 OK');
  });

  it('reads a ClientHello in pieces of one byte', async () => {
    const socket = await openAccepted();
    for (const byte of WITHOUT_SHARE) {
      await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    }
    expect(await once(socket, 'data')).toMatchObject([{ 0: 22 }]);
  });

  it('reads a ClientHello in two records', async () => {
    const socket = await openAccepted();
    socket.write(Buffer.concat([record(MESSAGE.subarray(0, 50)), record(MESSAGE.subarray(50))]));
    expect(await once(socket, 'data')).toMatchObject([{ 0: 22 }]);
  });

  it.each([
    ['a ClientHello that declares 131,000 bytes', [22, 3, 1, 0, 80, 1, 1, 0xff, 0xb8]],
    ['ChangeCipherSpec', [20, 3, 1, 0, 0]],
  ])('closes a connection that begins with %s, without a response', async (_what, bytes) => {
    const socket = open();
    const received = jest.fn();
    socket.on('data', received).write(Buffer.from(bytes));
    await once(socket, 'close');
    expect(received).not.toHaveBeenCalled();
  });

  it('closes connections whose clients leave before they have sent a ClientHello', async () => {
    const socket = await openAccepted();
    socket.resume().end(WITHOUT_SHARE.subarray(0, 20));
    await once(socket, 'close');
    expect(await new Promise((resolve) => server.getConnections((_e, n) => resolve(n)))).toBe(0);
  });

  it('lets handshakes that may need a second ClientHello wait, but no others', async () => {
    let answered = 0;
    const expensive = Array.from({ length: 6 }, async () => {
      const socket = open();
      socket.write(WITHOUT_SHARE);
      expect(await once(socket, 'data')).toMatchObject([{ 0: 22 }]);
      answered += 1;
    });
    expect(await request(await secure())).toBe('HTTP/1.1 200 OK');
    expect(answered).toBeLessThan(expensive.length);
    await Promise.all(expensive);
  });
});

it('closes the oldest unfinished handshake of the address with the most', async () => {
  const made = createHttpsServer({ ...certificate, ...ADMISSION_OPTIONS }, (_request, response) =>
    response.end(),
  );
  const limiter = new TlsHandshakes(1000);
  new TlsAdmission({ timeoutMs: 5000, limiter, maxUnfinished: 3 }).watch(made);
  await listen(made);
  const closed: string[] = [];
  const begin = async (name: string, from: string): Promise<void> => {
    const socket = await openAccepted(from);
    socket.on('close', () => closed.push(name));
    socket.write(WITHOUT_SHARE);
    await once(socket, 'data');
  };
  await begin('other', '127.0.0.2');
  await begin('first', '127.0.0.1');
  await begin('second', '127.0.0.1');
  // A finished handshake does not count.
  const finished = await secure({ localAddress: '127.0.0.3' } as ConnectionOptions);
  await until(() => Promise.resolve(closed.length === 1));
  await begin('third', '127.0.0.4');
  await begin('fourth', '127.0.0.5');
  await until(() => Promise.resolve(closed.length === 2));
  expect(closed).toEqual(['first', 'other']);
  expect(await request(finished)).toBe('HTTP/1.1 200 OK');
});
