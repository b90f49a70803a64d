import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { bytesOf, sendBytes } from './bytes';
import { LogLines } from './log-lines';

/** Spellings of a path's target that name the same resource (RFC 9112, section 3.2). */
const spellings = (path: string): string[] => [
  path,
  `http://api.test${path}`,
  `HTTP://user@other.test:80${path}`,
  `https://x${path}`,
  `http://x${path}#fragment`,
  `${path}#/v2`,
  `/${path}`,
  path.replaceAll('/', '//'),
];

/** Targets that look like a path of the API and are none. */
const OTHERS = [
  'ftp://x/v2/book/1',
  '/\\v2/book/1',
  '/%762/book/1',
  '/x/../v2/book/1',
  '/http://x/v2/book/1',
  '*',
];

const LIMIT = 1000;

let harness: Harness;
let book: string;
let token: string;
const log = new LogLines();
beforeAll(async () => {
  const settings = { LIMIT_ANONYMOUS: String(LIMIT), REQUIRE_HTTPS: 'true' };
  harness = await startHarness({ settings, logger: log.logger });
  const make = new Factories(harness.database);
  book = `/v2/book/${await make.aBook()}`;
  token = await harness.token({ userId: (await make.aUser()).id });
});
afterAll(() => harness.close());

interface Received {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends a request line as it is. */
async function send(method: string, target: string, ...headers: string[]): Promise<Received> {
  const received = await sendBytes(harness.origin, bytesOf(`${method} ${target}`, ...headers));
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body };
}

it('requests count against limits in any form of the target', async () => {
  const remaining = [];
  for (const target of spellings(book)) {
    const { status, head } = await send('GET', target);
    expect([target, status]).toEqual([target, 200]);
    remaining.push(Number(/x-ratelimit-remaining2: (\d+)/.exec(head)?.[1]));
  }
  expect(remaining).toEqual(remaining.map((_, at) => LIMIT - 1 - at));
});

it('tokens need HTTPS in any form of the target (D17)', async () => {
  for (const target of [...spellings(book), ...spellings('/v2/nothing')]) {
    const { status, body } = await send('GET', target, `Authorization: Bearer ${token}`);
    expect([target, status, JSON.parse(body)]).toMatchObject([target, 400, { code: 100 }]);
  }
  for (const target of spellings('/service/auth2/token')) {
    const { status, body } = await send('POST', target, 'Content-Length: 0');
    expect([target, status, JSON.parse(body)]).toMatchObject([target, 400, { code: 100 }]);
  }
});

it('pages are recognised in any form of the target', async () => {
  const origin = 'Origin: https://partner.example';
  for (const target of spellings('/service/sign-in')) {
    const { head } = await send('GET', target, origin);
    expect(head).toContain('cache-control: no-store');
    expect(head).not.toContain('access-control-allow-origin');
  }
  for (const target of spellings(book)) {
    expect((await send('OPTIONS', target, origin)).head).toContain(
      'access-control-allow-origin: *',
    );
  }
});

it('errors and the log contain only the path', async () => {
  for (const target of spellings('/readyz')) {
    const { head } = await send('GET', target);
    const id = /x-request-id: (\S+)/.exec(head)?.[1] ?? '';
    expect(await log.requestLine(id)).toMatchObject({ status: 200, route: '/readyz' });
  }
  for (const target of spellings('/v1')) {
    expect(JSON.parse((await send('GET', target)).body)).toMatchObject({ request: 'GET /v1' });
  }
});

it.each(OTHERS)('%s is an unknown path', async (target) => {
  const { status, body } = await send('GET', target);
  expect([status, JSON.parse(body)]).toMatchObject([404, { code: 1001 }]);
});

it('the connection is closed for CONNECT', async () => {
  const received = await sendBytes(harness.origin, bytesOf('CONNECT api.test:443'));
  expect(received).not.toMatch(/^HTTP\/1.1 [23]/);
});
