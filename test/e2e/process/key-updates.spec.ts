import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { makeServer } from '../../../src/api/http/servers';
import { makeCertificate } from './certificate';

const SETTINGS = {
  KEEP_ALIVE_SECONDS: 5,
  HEADER_SECONDS: 10,
  REQUEST_SECONDS: 10,
  MAX_CONNECTIONS: 100,
  HTTP_PORT: undefined,
  TLS_HANDSHAKES_PER_SECOND: 100,
};
/** Milliseconds for which the handshakes of an address wait. */
const SUSPENDED_MS = 1000;
/** Key updates of a connection. */
const MAX = 10;

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
/** Contents of records with their types (RFC 8446, sections 4.6.3 and 5.2). */
const KEY_UPDATE = Buffer.from([0x18, 0, 0, 1, 0, 0x16]);
const REQUEST_RECORD = Buffer.concat([Buffer.from(REQUEST), Buffer.from([0x17])]);

let server: Server;
let port: number;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = makeServer(
    (_request, response) => response.end('served'),
    SETTINGS,
    makeCertificate('test'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

/** HKDF-Expand-Label with SHA-256 for at most 32 bytes (RFC 8446, section 7.1). */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.from([0, length, name.length, ...name, 0, 1]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/** Encrypts the first record with a secret, by TLS_AES_128_GCM_SHA256. */
function encrypt(secret: Buffer, content: Buffer): Buffer {
  const head = Buffer.from([0x17, 3, 3, 0, content.length + 16]);
  const cipher = createCipheriv(
    'aes-128-gcm',
    expand(secret, 'key', 16),
    expand(secret, 'iv', 12),
  ).setAAD(head);
  return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** A client of TLS 1.3 that can update its keys. */
class Client {
  private constructor(
    readonly tls: TLSSocket,
    private readonly raw: Socket,
    private secret: Buffer,
  ) {}

  /** Whether the connection is closed. */
  get closed(): Promise<unknown> {
    return this.tls.closed ? Promise.resolve() : once(this.tls, 'close');
  }

  static async connect(localAddress: string): Promise<Client> {
    const raw = connect({ port, host: '127.0.0.1', localAddress });
    await once(raw, 'connect');
    const tls = connectTls({
      ...{ socket: raw, rejectUnauthorized: false, minVersion: 'TLSv1.3' },
      ciphers: 'TLS_AES_128_GCM_SHA256',
    });
    tls.on('error', () => undefined);
    sockets.push(tls);
    let secret = '';
    tls.on('keylog', (line: Buffer) => {
      secret = /^CLIENT_TRAFFIC_SECRET_0 \w+ (\w+)/.exec(line.toString())?.[1] ?? secret;
    });
    // The server sends the session when the handshake is complete.
    await once(tls, 'session');
    // OpenSSL emits it while it reads.
    await setImmediate();
    return new Client(tls, raw, Buffer.from(secret, 'hex'));
  }

  /** Updates the keys, and sends a request with the last ones. */
  updateAndRequest(updates: number): void {
    const records: Buffer[] = [];
    for (let count = 0; count < updates; count += 1) {
      records.push(encrypt(this.secret, KEY_UPDATE));
      this.secret = expand(this.secret, 'traffic upd', 32);
    }
    this.raw.write(Buffer.concat([...records, encrypt(this.secret, REQUEST_RECORD)]));
  }

  /** The next data, or undefined when the connection is closed. */
  async response(): Promise<string | undefined> {
    const data = once(this.tls, 'data') as Promise<[Buffer]>;
    const [first] = (await Promise.race([data, this.closed.then(() => [])])) as [Buffer?];
    return first?.toString();
  }
}

it('a client of TLS 1.3 may update its keys a few times', async () => {
  const client = await Client.connect('127.0.0.2');
  client.updateAndRequest(MAX);
  expect(await client.response()).toContain('served');
});

it('more key updates close all connections of the address, and none of others', async () => {
  const [client, neighbour, other] = await Promise.all(
    ['127.0.0.2', '127.0.0.2', '127.0.0.3'].map((address) => Client.connect(address)),
  );
  const since = performance.now();
  client?.updateAndRequest(MAX + 1);
  expect(await client?.response()).toBeUndefined();
  await neighbour?.closed;
  other?.tls.write(REQUEST);
  expect(await other?.response()).toContain('served');
  // The address is served again later: a lower bound, which holds however slow the machine is.
  const again = await Client.connect('127.0.0.2');
  expect(performance.now() - since).toBeGreaterThanOrEqual(SUSPENDED_MS);
  again.tls.write(REQUEST);
  expect(await again.response()).toContain('served');
});
