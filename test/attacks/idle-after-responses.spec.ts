import { once } from 'node:events';
import { type Socket } from 'node:net';
import { atScale, figure } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

/** Connections that stay idle after a response. */
const CONNECTIONS = atScale(3000, 600);
const STEP = 20;
/** MB above rest. */
const MOST_MEMORY = 150;

const head = (start: string, ...headers: string[]): string =>
  [start, 'Host: test', ...headers, '', ''].join('\r\n');
const post = (path: string, body: string, ...headers: string[]): string =>
  head(`POST ${path} HTTP/1.1`, `Content-Length: ${body.length}`, ...headers) + body;

const names = Array.from({ length: 1000 }, (_, at) => `${at}${'n'.repeat(50)}`);
const objects = `{"a":[${Array.from({ length: 5400 }, () => '{}').join(',')}]}`;

const longPath = head(`GET /${'a'.repeat(60_000)} HTTP/1.1`);

let target: Target;
let attacker: Attacker;

/** Sends requests on each of many connections, which stay idle after the responses. */
async function sendOnMany(
  count: number,
  ...requests: readonly (readonly [request: string, status: number])[]
): Promise<void> {
  const all: Socket[] = [];
  for (let opened = 0; opened < count; opened += STEP) {
    const sockets = await attacker.openMany(STEP, '', { reads: false });
    for (const [request, status] of requests) await sendOn(sockets, request, status);
    all.push(...sockets);
  }
  const isOpen = (socket: Socket): boolean => !socket.readableEnded && !socket.destroyed;
  expect(all.filter(isOpen)).toHaveLength(all.length);
}

/** Sends a request on each connection, and waits for the responses. */
async function sendOn(sockets: readonly Socket[], request: string, status: number): Promise<void> {
  const responses = sockets.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
  for (const socket of sockets) socket.write(request);
  for (const [data] of await Promise.all(responses))
    expect(data.toString('latin1', 9, 12)).toBe(String(status));
}

beforeAll(async () => {
  target = await Target.start();
  attacker = new Attacker(target.port);
  // The allocator of the system keeps what the first connections with large heads took.
  await sendOnMany(CONNECTIONS, [longPath, 404]);
  attacker.leave();
});
afterEach(() => {
  attacker.leave();
});
afterAll(() => target.close());

it.each<[string, number, () => string]>([
  ['a query of 60,000 letters', 404, () => head(`GET /v2/book/1?q=${'a'.repeat(60_000)} HTTP/1.1`)],
  ['a path of 60,000 letters', 404, () => longPath],
  ['1,000 parameters', 404, () => head(`GET /v2/book/1?${names.join('&')} HTTP/1.1`)],
  [
    'a refused body of 5,400 objects',
    400,
    () => post('/service/auth2/token', objects, 'Content-Type: application/json'),
  ],
])('%s: the idle connection keeps nothing of it', async (kind, status, bytes) => {
  const { memory } = await target.usage();
  await target.attack(`idle connections after ${kind}`, async () => {
    await sendOnMany(CONNECTIONS, [bytes(), status]);
    figure(`${kind}: memory above rest in MB`, (await target.usage()).memory - memory, {
      atMost: MOST_MEMORY,
    });
    attacker.leave();
  });
});
