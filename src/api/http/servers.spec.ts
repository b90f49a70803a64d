import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from '../../../test/e2e/process/certificate';
import { makeServer, maxConnections } from './servers';

const SETTINGS = {
  MAX_CONNECTIONS: 5000,
  KEEP_ALIVE_SECONDS: 5,
  HEADER_SECONDS: 30,
  REQUEST_SECONDS: 300,
};

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
    expect(maxConnections({ ...SETTINGS, HTTP_PORT }, false, limit)).toBe(expected);
  });

  it('is less with TLS by default', () => {
    const settings = { ...SETTINGS, MAX_CONNECTIONS: undefined };
    expect(maxConnections(settings, false, Infinity)).toBe(5000);
    expect(maxConnections(settings, true, Infinity)).toBe(2000);
    expect(maxConnections(SETTINGS, true, Infinity)).toBe(5000);
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

const head = (line: string): string => `${line} HTTP/1.1\r\nHost: test\r\n`;
const inChunks = (count: number): string =>
  `Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(count)}`;
const END = '0\r\n\r\n';

describe('small chunks', () => {
  let server: Server;
  let client: Socket;
  let closed: Promise<void>;
  /** Paths of the handled requests. */
  let handled: (string | undefined)[];

  /** Connects a client to a server. */
  async function open(respond: (response: ServerResponse) => void): Promise<void> {
    handled = [];
    server = makeServer(({ url }, response) => {
      handled.push(url);
      respond(response);
    }, SETTINGS);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    closed = closeOf(client);
  }

  afterEach(() => {
    client.destroy();
    server.close();
  });

  it.each([
    ['a body', [2000]],
    ['bodies together', [600, 600]],
  ])('close a connection where %s wait for an earlier request', async (_, sizes) => {
    await open(() => undefined);
    let received = '';
    client.on('data', (piece) => (received += String(piece)));
    const bodies = sizes.map((size) => head('POST /later') + inChunks(size) + END);
    client.write(`${head('GET /first')}\r\n${bodies.join('')}`);
    await closed;
    // A response would be that to the first request.
    expect([handled, received]).toEqual([['/first'], '']);
  });

  it('close a connection after the response', async () => {
    await open((response) => response.end('done'));
    client.write(head('GET /first') + inChunks(0));
    // The response comes first.
    await once(client, 'data');
    client.write(`${'1\r\nx\r\n'.repeat(30_000)}${END}${head('GET /second')}\r\n`);
    await closed;
    expect(handled).toEqual(['/first']);
  });

  it('close a connection with many requests in quick succession', async () => {
    await open((response) => response.end('done'));
    const body = inChunks(600) + END;
    client.resume().write(head('GET /first') + body);
    await once(client, 'data');
    client.write(`${head('GET /second')}${body}${head('GET /third')}\r\n`);
    await closed;
    expect(handled).not.toContain('/third');
  });
});

it.each(['GET', 'HEAD'])('the body of a %s does not stay in memory', async (method) => {
  const bodies: IncomingMessage[] = [];
  const handled = new EventEmitter();
  const server = makeServer((request) => {
    bodies.push(request);
    handled.emit('request');
  }, SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = closeOf(client);
  client.write(`${head(`${method} /first`)}Content-Length: 1000\r\n\r\n${'x'.repeat(999)}`);
  await once(handled, 'request');
  const [body] = bodies;
  client.write('x');
  if (body) await once(body, 'end');
  expect(body?.readableLength).toBe(0);
  client.destroy();
  await closed;
  server.close();
});

describe('a connection that its client resets with its request is closed', () => {
  let server: Server;
  let handled: (string | undefined)[];
  const REQUEST = `${head('GET /reset')}\r\n`;

  async function listen(tls?: Parameters<typeof makeServer>[2]): Promise<number> {
    handled = [];
    server = makeServer(
      ({ url }, response) => {
        handled.push(url);
        response.end('done');
      },
      SETTINGS,
      tls,
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
  afterEach(() => {
    server.close();
  });

  it('before the server accepts it', async () => {
    const port = await listen();
    // The server cannot accept connections while it waits for the process.
    const client = `const socket = require('node:net').connect(${port}, '127.0.0.1', () =>
      socket.write(${JSON.stringify(REQUEST)}, () => socket.resetAndDestroy()))`;
    execFileSync(process.execPath, ['-e', client]);
    await fetch(`http://127.0.0.1:${port}/later`);
    expect(handled).toEqual(['/later']);
    const connections = await new Promise((resolve) => server.getConnections((_, n) => resolve(n)));
    expect(connections).toBe(1);
  });

  it('before the server ends the handshake', async () => {
    const port = await listen(makeCertificate('test'));
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1');
    const client = connectTls({ socket, rejectUnauthorized: false });
    client.on('error', () => undefined);
    await once(client, 'secureConnect');
    client.write(REQUEST);
    socket.resetAndDestroy();
    const [connection] = await accepted;
    if (!connection.closed) await closeOf(connection);
    expect(handled).toEqual([]);
  });
});

it('the address of a connection stays known after its client resets it', async () => {
  let reset = (): void => undefined;
  const server = makeServer(() => reset(), { ...SETTINGS, TRUSTED_PROXIES: 1 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  reset = () => client.resetAndDestroy();
  const closed = closeOf(socket);
  client.write(`${head('GET /first')}\r\n`);
  await closed;
  server.close();
  expect(socket.remoteAddress).toBe('127.0.0.1');
});
