import { until } from '../faults/collectors';
import { atScale, figure } from '../figures';
import { callAt } from '../http';
import { Attacker, closed } from './sockets';
import { Target } from './target';

/** Connections, each with a head of 62 KB. */
const CONNECTIONS = atScale(4500, 1300);
const STEP = 50;
const HEAD = 62_000;
/** MB that all heads may have in the server, by their bytes. */
const LIMIT = 48;
/** MB above rest. */
const MOST_MEMORY = 250;
/** Addresses of clients. */
const [ATTACKER, OTHER] = ['127.0.0.2', '127.0.0.3'];

let target: Target;
let attacker: Attacker;
beforeAll(async () => {
  // Bodies may arrive slowly without end.
  target = await Target.start({ MIN_BODY_RATE: '0' });
  attacker = new Attacker(target.port);
});
afterEach(() => {
  attacker.leave();
});
afterAll(() => target.close());

const lines = (count: number): string => {
  const value = 'a'.repeat(HEAD / count - 8);
  return Array.from({ length: count }, (_, at) => `X${1000 + at}: ${value}\r\n`).join('');
};

const incomplete = `GET /v2/book/1 HTTP/1.1\r\nHost: test\r\n${lines(80)}`;
const slowBody =
  `POST /service/sign-in HTTP/1.1\r\nHost: test\r\n${lines(80)}` +
  'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\nuid=a';
const chunked = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n`;

it.each([
  ['incomplete heads', incomplete],
  ['incomplete heads in the data of a chunked request', `${chunked('/')}0\r\n\r\n${incomplete}`],
  ['incomplete trailers', `${chunked('/service/auth2/token')}0\r\n${lines(1).slice(0, -2)}`],
  ['heads whose bodies arrive slowly', slowBody],
])('%s of 62 KB on many connections are cut off beyond 48 MB', async (kind, head) => {
  const { memory } = await target.usage();
  const book = await target.make.aBook();
  await target.attack(`${CONNECTIONS} ${kind}`, async () => {
    const small = await attacker.open('GET / HTTP/1.1\r\n', { from: OTHER });
    let closings = 0;
    for (let opened = 0; opened < CONNECTIONS; opened += STEP) {
      for (const socket of await attacker.openMany(STEP, head, { from: ATTACKER }))
        void closed(socket).then(() => (closings += 1));
    }
    await until('enough are closed', () =>
      Promise.resolve(closings >= CONNECTIONS - (LIMIT * 1_000_000) / HEAD),
    );
    figure(`${kind}: memory above rest in MB`, (await target.usage()).memory - memory, {
      atMost: MOST_MEMORY,
    });
    // A small head, and a large one of another address, are complete.
    expect(small.destroyed || small.readableEnded).toBe(false);
    const query = new URLSearchParams({ x: '书'.repeat(5000) });
    const { status } = await callAt(target.origin)(`/v2/book/${book}?${query.toString()}`);
    expect(status).toBe(200);
    attacker.leave();
  });
});
