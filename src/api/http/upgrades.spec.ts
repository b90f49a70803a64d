import { once } from 'node:events';
import { type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from '../../../test/e2e/process/certificate';
import { type ParsedSocket } from './node-parser';
import { makeServer } from './servers';

const SETTINGS = {
  MAX_CONNECTIONS: 5000,
  KEEP_ALIVE_SECONDS: 5,
  HEADER_SECONDS: 30,
  REQUEST_SECONDS: 300,
};

const UPGRADE = 'Host: test\r\nConnection: Upgrade\r\nUpgrade: x\r\n';
/** More small chunks than a body may have. */
const REFUSED = `POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2000)}0\r\n\r\n`;

describe.each([['plain', false] as const, ['TLS', true] as const])('%s connections', (_, isTls) => {
  let server: Server;
  let client: Socket;
  /** The server's side of the connection. */
  let socket: ParsedSocket;
  let received: string;

  beforeEach(async () => {
    const certificate = isTls ? makeCertificate('test') : undefined;
    const handle: RequestListener = ({ method, url }, response) => {
      if (method === 'GET') response.end(`done ${url}`);
    };
    server = makeServer(handle, SETTINGS, certificate);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await connectClient();
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  async function connectClient(): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const to = { port, host: '127.0.0.1', rejectUnauthorized: false };
    const accepted = once(server, isTls ? 'secureConnection' : 'connection');
    client = isTls ? connectTls(to) : connect(to);
    [socket] = (await accepted) as [ParsedSocket];
    received = '';
    client.on('error', () => undefined).on('data', (data) => (received += String(data)));
  }

  /** Sends text, and waits for a part of the response. */
  async function receives(text: string, part: string): Promise<void> {
    client.write(text);
    while (!received.includes(part)) await once(client, 'data');
  }

  it('serve a request for another protocol like others', async () => {
    await receives(`GET /a HTTP/1.1\r\n${UPGRADE}\r\n`, 'done /a');
    await receives('GET /b HTTP/1.1\r\nHost: test\r\n\r\n', 'done /b');
  });

  it('respond 400 with 1014 to CONNECT, and keep the parser until they close', async () => {
    let parser: ParsedSocket['parser'];
    socket.prependOnceListener('close', () => ({ parser } = socket));
    await receives('CONNECT test:1 HTTP/1.1\r\nHost: test\r\n\r\n', '}');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toMatch(/^Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r$/m);
    expect(received).toContain('"code":1014');
    if (!socket.closed) await once(socket, 'close');
    // Node has not returned it to its pool: `discardParser` closes it.
    expect(parser).toBeTruthy();
  });

  it('survive a failure after a request for another protocol behind a refused one', async () => {
    await receives(`${REFUSED}GET / HTTP/1.1\r\n${UPGRADE}\r\n`, 'HTTP/1.1 400');
    expect(socket.parser).toBeTruthy();
    // Without a listener of errors this would be thrown.
    socket.destroy(new Error('read ECONNRESET'));
    await once(client, 'close');
    await connectClient();
    await receives('GET /c HTTP/1.1\r\nHost: test\r\n\r\n', 'done /c');
  });
});
