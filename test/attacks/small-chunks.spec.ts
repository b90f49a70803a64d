import { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { atScale } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

const CONNECTIONS = atScale(50, 10);
/** More than the buffers of the operating system and of Node. */
const MOST_BYTES = 30_000_000;
/** As many bytes as a public route reads. */
const CHUNKS = 64_000;

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target.close());

const head = (path: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n` +
  `Content-Type: application/x-www-form-urlencoded\r\n${more}\r\n`;

const inChunks = (text: string): string =>
  [...text].map((character) => `1\r\n${character}\r\n`).join('');

/** What the server sends until the connection is closed. */
async function responseOf(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return text;
}

function expectRefused(response: string, path: string): void {
  expect(response).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Error-Detail: the body arrives in too many/);
  expect(response).toMatch(`{"msg":"unknow_v2_error","code":999,"request":"POST ${path}"}`);
}

it.each([
  ['without a token', () => Promise.resolve('/service/sign-in'), () => Promise.resolve('')],
  [
    'with a token',
    async () => `/v2/book/${await target.make.aBook()}/annotations`,
    async () => {
      const { id } = await target.make.aUser();
      return `Authorization: Bearer ${await target.token({ userId: id })}\r\n`;
    },
  ],
])('999: bodies in chunks of one byte, %s', async (name, pathOf, fieldsOf) => {
  const path = await pathOf();
  const bytes = head(path, await fieldsOf()) + inChunks('a'.repeat(CHUNKS));
  const attacker = new Attacker(target.port);
  const responses = await target.attack(`small chunks ${name}`, async () => {
    const sockets = await attacker.openMany(CONNECTIONS);
    const received = sockets.map(responseOf);
    for (const socket of sockets) socket.write(bytes);
    const all = await Promise.all(received);
    attacker.leave();
    return all;
  });
  // A client that goes on sending may lose the response, when its connection is closed.
  for (const response of responses.filter((text) => text !== '')) expectRefused(response, path);
});

it('999: one such body gets its response', async () => {
  const attacker = new Attacker(target.port);
  const sent = `${head('/service/sign-in')}${inChunks('a'.repeat(2000))}`;
  const response = await responseOf(await attacker.open(sent));
  expectRefused(response, '/service/sign-in');
  attacker.leave();
});

it.each([0, 1, 50])('999: a body and %d pipelined requests, in one packet', async (count) => {
  const attacker = new Attacker(target.port);
  const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count);
  const body = `${inChunks('a'.repeat(1100))}0\r\n\r\n`;
  const response = await responseOf(
    await attacker.open(`${head('/service/sign-in')}${body}${next}`),
  );
  expectRefused(response, '/service/sign-in');
  expect(response.split('HTTP/1.1 ')).toHaveLength(2);
  expect((await target.call('/healthz')).status).toBe(200);
  attacker.leave();
});

it('many bodies of fewer chunks take little memory', async () => {
  const attacker = new Attacker(target.port);
  const sent = `${head('/service/sign-in')}${inChunks('a'.repeat(990))}`;
  await target.attack('small chunks below the limit', async () => {
    await attacker.openMany(atScale(2000, 200), sent);
    attacker.leave();
  });
});

it('many such bodies at the same moment do not delay others', async () => {
  const attacker = new Attacker(target.port);
  const sent = `${head('/service/sign-in')}${inChunks('a'.repeat(990))}`;
  const sockets = await attacker.openMany(atScale(2000, 500));
  await target.attack('small chunks at the same moment', async () => {
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.write(sent, resolve))),
    );
    attacker.leave();
  });
});

it('an endless body in chunks that are joined is not read when nobody needs it', async () => {
  const attacker = new Attacker(target.port);
  // The responses are not read, so that the last request waits with its body.
  const waiting = 'GET /v2/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(30);
  const last = head('/v2/book/1').replace('POST', 'GET');
  const chunks = `200\r\n${'a'.repeat(512)}\r\n`.repeat(1000);
  const taken = await target.attack('chunks of 512 bytes', async () => {
    const socket = await attacker.open(waiting + last, { reads: false });
    // The last megabytes are in buffers of the operating system.
    for (let quiet = 0; quiet < 20 && socket.bytesWritten < MOST_BYTES;) {
      quiet = socket.writableLength > 0 ? quiet + 1 : 0;
      if (quiet === 0) socket.write(chunks);
      await pause(50);
    }
    attacker.leave();
    return socket.bytesWritten - socket.writableLength;
  });
  expect(taken).toBeLessThan(MOST_BYTES);
});

it('201: a small form in chunks of one byte', async () => {
  const { id } = await target.make.aUser();
  const token = await target.token({ userId: id });
  const path = `/v2/book/${await target.make.aBook()}/collection`;
  const attacker = new Attacker(target.port);
  const fields = `Authorization: Bearer ${token}\r\nConnection: close\r\n`;
  const socket = await attacker.open(
    `${head(path, fields)}${inChunks(`status=read&comment=${'a'.repeat(300)}`)}0\r\n\r\n`,
  );
  expect(await responseOf(socket)).toMatch(/^HTTP\/1\.1 201 /);
  attacker.leave();
});
