import { once } from 'node:events';
import { type Socket } from 'node:net';
import { noise } from '../factories/pictures';
import { atScale } from '../figures';
import { Attacker, closed } from './sockets';
import { Target } from './target';

const CONNECTIONS = atScale(20, 2);
const REQUESTS = atScale(30_000, 1000);

/** Requests that a connection may have without a response. */
const MAX_PIPELINED = 100;

/** Connections with one request less each: beyond 2,000 that wait in total, they are closed. */
const PIPELINES = atScale(300, 60);

/** Connections with requests for a large document, and requests of each. */
const READERS = atScale(600, 60);
const UNREAD = 40;

/** Clients that send requests for a picture, and leave before they have read the first response. */
const LEAVING = atScale(100, 10);

let target: Target;
let attacker: Attacker;
let request: string;
beforeAll(async () => {
  target = await Target.start();
  attacker = new Attacker(target.port);
  request = `GET /v2/book/${await target.make.aBook()} HTTP/1.1\r\nHost: test\r\n\r\n`;
});
afterAll(async () => {
  attacker.leave();
  await target.close();
});

/** Waits for the beginning of a response, or until the server has closed the connection. */
const responded = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('readable', resolve).once('close', resolve));

/** Waits for a number of responses, or until the server has closed the connection. */
const answered = (socket: Socket, count: number): Promise<void> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
      if (text.split('HTTP/1.1 ').length > count) resolve();
    });
    for (const event of ['end', 'close']) {
      socket.once(event, () => {
        resolve();
      });
    }
  });

/** Kinds of requests; Node itself would answer all but complete ones, before they count. */
const KINDS: readonly (readonly [kind: string, request?: string])[] = [
  ['complete'],
  ['without Host', 'GET /v2/book/1 HTTP/1.1\r\n\r\n'],
  ['with an unknown expectation', 'GET /v2/book/1 HTTP/1.1\r\nHost: test\r\nExpect: x\r\n\r\n'],
];

it.each(KINDS)(
  `connections with more than ${MAX_PIPELINED} requests without a response are closed: %s`,
  async (_, attack = request) => {
    await target.attack(`${REQUESTS} requests at once on ${CONNECTIONS} connections`, async () => {
      // The first response is one that the client does not read.
      const sockets = await attacker.openMany(CONNECTIONS, request + attack.repeat(REQUESTS));
      await Promise.all(sockets.map(closed));
    });
  },
);

it(`${MAX_PIPELINED} pipelined requests on a connection are served`, async () => {
  const socket = await attacker.open('', { reads: false });
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const last = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  socket.write(request.repeat(MAX_PIPELINED - 1) + last);
  await once(socket, 'end');
  expect(text.match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(MAX_PIPELINED);
});

it.each([
  ['a book', () => request],
  ['/healthz', () => 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'],
])(
  'a connection is closed after a request for an upgrade, behind which Node reads no other: %s',
  async (_, requestOf) => {
    const plain = requestOf();
    const upgrade = plain.replace(
      '\r\n\r\n',
      '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const socket = await attacker.open('', { reads: false });
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.write(upgrade + plain);
    await once(socket, 'end');
    expect(text.match(/HTTP\/1\.1 \d{3} /g)).toEqual(['HTTP/1.1 200 ']);
  },
);

it('many connections with many requests without a response each do not stop the service', async () => {
  const most = request.repeat(MAX_PIPELINED - 1);
  await target.attack(`${MAX_PIPELINED - 1} requests on ${PIPELINES} connections`, async () => {
    const sockets = await attacker.openMany(PIPELINES);
    const ends = sockets.map((socket) => answered(socket, MAX_PIPELINED - 1));
    for (const socket of sockets) socket.write(most);
    await Promise.all(ends);
    attacker.leave();
  });
});

it('connections with large responses that are not read do not delay new connections', async () => {
  const requests = 'GET /v2/openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(UNREAD);
  await target.attack(`${UNREAD} large responses on ${READERS} connections`, async () => {
    const how = { reads: false, from: '127.0.0.2' };
    const sockets = await attacker.openMany(READERS, requests, how);
    // Nothing is read beyond the beginning of the first response.
    await Promise.all(sockets.map(responded));
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(READERS / 2);
    attacker.leave();
  });
});

/** Path of a public picture that does not fit into the buffers of a connection. */
async function largePicture(): Promise<string> {
  const { id: userId } = await target.make.aUser();
  const jpeg = new Uint8Array(await noise(900, 900).jpeg({ quality: 95 }).toBuffer());
  const body = new FormData();
  for (const name of ['title', 'content']) body.append(name, 'x');
  body.append('pids', 'p_1');
  body.append('image_1', new Blob([jpeg], { type: 'image/jpeg' }), 'one.jpg');
  const token = await target.token({ userId });
  const { body: note } = await target.call('/v2/notes', { method: 'POST', token, body });
  return new URL((note as { photos: Record<string, string> }).photos['1'] ?? '').pathname;
}

it('files of responses that wait for others are not opened when the client leaves', async () => {
  const picture = `GET ${await largePicture()} HTTP/1.1\r\nHost: test\r\n\r\n`;
  const most = picture.repeat(MAX_PIPELINED - 1);
  await target.attack(`pictures on ${LEAVING} connections that are closed`, async () => {
    for (let count = 0; count < LEAVING; count += 1) {
      const socket = await attacker.open(most, { reads: false });
      await once(socket, 'readable');
      socket.destroy();
    }
  });
});
