import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { get } from 'node:https';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { makeServer } from '../../../src/api/http/servers';
import { makeCertificate } from './certificate';

const SETTINGS = {
  KEEP_ALIVE_SECONDS: 5,
  HEADER_SECONDS: 5,
  REQUEST_SECONDS: 5,
  MAX_CONNECTIONS: 100,
  HTTP_PORT: undefined,
};
const MEGABYTE = 1_048_576;

/** A text whose characters of one to four bytes do not end where pieces do. */
const TEXT = 'a書é𝄞'.repeat(MEGABYTE / 10);

let server: Server;
let port: number;
let respond: (response: ServerResponse) => void;
beforeAll(async () => {
  const made = makeCertificate('test');
  server = makeServer(
    (_request, response) => {
      respond(response);
    },
    SETTINGS,
    made,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

async function bodyOf(): Promise<Buffer> {
  const request = get({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return buffer(response);
}

it.each<[string, (response: ServerResponse) => void, Buffer]>([
  ['a long text', (response) => response.end(TEXT), Buffer.from(TEXT)],
  ['long bytes', (response) => response.end(Buffer.from(TEXT)), Buffer.from(TEXT)],
  [
    'texts and bytes that are written together',
    (response) => {
      response.cork();
      response.write(TEXT);
      response.write('é');
      response.write(Buffer.from(TEXT));
      response.uncork();
      response.end('é');
    },
    Buffer.from(`${TEXT}é${TEXT}é`),
  ],
  [
    'a long text of other encoding',
    (response) => response.end('é'.repeat(MEGABYTE), 'latin1'),
    Buffer.alloc(MEGABYTE, 0xe9),
  ],
  ['a short text', (response) => response.end('short'), Buffer.from('short')],
])('sends %s unchanged over HTTPS', async (_, write, expected) => {
  respond = write;
  expect((await bodyOf()).equals(expected)).toBe(true);
});

it('a client that leaves during a long response ends it', async () => {
  const closed = new Promise<ServerResponse>((resolve) => {
    respond = (response) => {
      response.on('close', () => {
        resolve(response);
      });
      response.end(Buffer.alloc(64 * MEGABYTE));
    };
  });
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(socket, 'readable');
  socket.destroy();
  expect((await closed).req.socket.destroyed).toBe(true);
});

it('a client that does not read gets no more than the buffers of its connection hold', async () => {
  let written: ServerResponse | undefined;
  respond = (response) => {
    written = response.end(Buffer.alloc(64 * MEGABYTE));
  };
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(socket, 'readable');
  for (let turns = 0; turns < 1000; turns += 1) await turn();
  // The limit of unread responses counts the rest.
  expect(written?.writableLength).toBeGreaterThanOrEqual(64 * MEGABYTE);
  const closed = once(written as ServerResponse, 'close');
  written?.req.socket.destroy();
  await closed;
  socket.destroy();
});
