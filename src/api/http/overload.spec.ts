import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Settings } from '../../config/settings';
import { prioritizeAccepting } from './connection-backlog';
import { Overload } from './overload';

const overload = new Overload(new Settings());
let handle: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  overload.gate(request, response, () => {
    handle(response);
  });
});
let origin: string;
beforeAll(async () => {
  prioritizeAccepting(server);
  await once(server.listen(0), 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});
beforeEach(() => {
  handle = (response) => response.end('served');
});

const statusesOf = (paths: readonly string[]): Promise<number[]> =>
  Promise.all(paths.map(async (path) => (await fetch(origin + path)).status));

/**
 * Requests over connections that are open already: the server reads them in one turn.
 * @param addressOf address of the client of each
 * @param pathOf path of each
 */
async function statusesAtOnce(
  count: number,
  addressOf = (_: number) => '127.0.0.1',
  pathOf = (_: number) => '/v2/book/1',
): Promise<number[]> {
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const accepted = once(server, 'connection');
    sockets.push(connect({ port, host: '127.0.0.1', localAddress: addressOf(sockets.length) }));
    await accepted;
  }
  const responses = sockets.map(async (socket) => {
    const [head] = (await once(socket, 'data')) as [Buffer];
    return Number(head.toString().split(' ')[1]);
  });
  sockets.forEach((socket, at) => {
    socket.write(`GET ${pathOf(at)} HTTP/1.1\r\nHost: test\r\n\r\n`);
  });
  const statuses = await Promise.all(responses);
  for (const socket of sockets) socket.destroy();
  return statuses;
}

/** Does nothing else meanwhile, as rendering a long response does. */
function block(milliseconds: number): void {
  const start = process.cpuUsage();
  let used = 0;
  while (used < milliseconds) {
    const { user, system } = process.cpuUsage(start);
    used = (user + system) / 1000;
  }
}

it('rejects requests with 503 when they arrive faster than they are handled (D5)', async () => {
  handle = (response) => {
    block(60);
    response.end('served');
  };
  const before = overload.refused;
  const statuses = await statusesAtOnce(30);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  const refused = statuses.filter((status) => status === 503).length;
  expect(overload.refused - before).toBe(refused);
});

it('rejects the requests of an address with many, and none of others that came later', async () => {
  handle = (response) => {
    block(20);
    response.end('served');
  };
  const statuses = await statusesAtOnce(62, (at) => (at < 60 ? '127.0.0.2' : `127.0.0.${at}`));
  expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200, 503]));
  expect(statuses.slice(60)).toEqual([200, 200]);
});

it('starts few probes of a turn before others, so that a flood of them is no priority', async () => {
  const paths: (string | undefined)[] = [];
  handle = (response) => {
    paths.push(response.req.url);
    block(20);
    response.end('served');
  };
  const isOther = (at: number): boolean => at >= 30;
  await statusesAtOnce(
    32,
    (at) => (isOther(at) ? '127.0.0.3' : '127.0.0.2'),
    (at) => (isOther(at) ? '/v2/book/1' : '/readyz'),
  );
  expect(paths.lastIndexOf('/v2/book/1')).toBeLessThan(15);
});

it('serves requests that arrived while the event loop was blocked', async () => {
  let first = true;
  handle = (response) => {
    if (first) block(1500);
    first = false;
    response.end('served');
  };
  expect(new Set(await statusesAtOnce(30))).toEqual(new Set([200]));
});

it('polls for other work between requests that work in promises', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn += 1;
    if (isCounting) setImmediate(count);
  };
  count();
  const turns = new Set<number>();
  handle = (response) => {
    void Promise.resolve().then(() => {
      block(5);
      turns.add(turn);
      response.end('served');
    });
  };
  await statusesAtOnce(30);
  isCounting = false;
  // Without polling, it is 1. The number depends on the machine.
  expect(turns.size).toBeGreaterThan(3);
});

it('rejects with an error body, a code and Retry-After (D4, D5)', async () => {
  overload.queueWasFull({ method: 'GET', path: '/v2/book/1' }, undefined);
  const response = await fetch(`${origin}/v2/book/2?callback=show&q=x`);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
  expect(await response.text()).toBe(
    'show({"msg":"unknow_v2_error","code":999,"request":"GET /v2/book/2"});',
  );
});

it('rejects requests for a path whose connection queue is full, and not those for other paths', async () => {
  overload.queueWasFull({ method: 'GET', path: '/v2/book/1' }, undefined);
  const paths = ['/v2/book/2', '/v2/book/2?fields=id', '/v2/book/2/tags', '/v2/movie/2', '/readyz'];
  expect(await statusesOf(paths)).toEqual([503, 503, 200, 200, 200]);
  while ((await fetch(`${origin}/v2/book/2`)).status !== 200);
});

describe('while only the share of an address is full', () => {
  it('rejects requests of this address', async () => {
    overload.queueWasFull({ method: 'GET', path: '/v2/note/1' }, '127.0.0.2');
    expect(await statusesOf(['/v2/note/2'])).toEqual([200]);
    for (const address of ['127.0.0.1', '0:0:0:0::/64']) {
      overload.queueWasFull({ method: 'GET', path: '/v2/note/1' }, address);
    }
    expect(await statusesOf(['/v2/note/2'])).toEqual([503]);
  });

  it('rejects no requests if the address is not known', async () => {
    overload.queueWasFull({ method: 'GET', path: '/v2/event/1' }, '');
    expect(await statusesOf(['/v2/event/2'])).toEqual([200]);
  });
});
