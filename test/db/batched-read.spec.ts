import { type IncomingMessage } from 'node:http';
import { onBehalfOf } from '../../src/api/http/current-request';
import { createRequestContext, type RequestContext } from '../../src/api/http/request-context';
import { type Route } from '../../src/api/routing/route-table';
import { BatchedRead } from '../../src/database/batched-read';
import { statement } from '../../src/database/database';
import { openTestDatabase, type TestDatabase } from '../harness';

/** Statements that divide 12 by their key, and find no row for 5. */
const ONE = statement('test.one', 'SELECT 12 / $1::int AS quotient WHERE $1::int <> 5');
const MANY = statement(
  'test.many',
  `SELECT 12 / k.n AS quotient, k.at::int AS at
   FROM unnest($1::int[]) WITH ORDINALITY AS k(n, at) WHERE k.n <> 5`,
);
const ROUTE = { path: '/v2/book/:id', area: 'book' } as unknown as Route;
const OTHER = { path: '/v2/event/:id', area: 'event' } as unknown as Route;

let opened: TestDatabase;
let read: BatchedRead<{ quotient: number }>;
const statements: string[] = [];
beforeAll(async () => {
  opened = await openTestDatabase();
  read = new BatchedRead(opened.database, ONE, MANY);
  opened.database.onStatement = (name) => statements.push(name);
});
beforeEach(() => {
  statements.length = 0;
});
afterAll(() => opened.close());

const requestOf = (method = 'GET', route = ROUTE): RequestContext => {
  const message = { method, url: '/', headers: {}, socket: {} } as IncomingMessage;
  return { ...createRequestContext(message), route };
};

const find = (key: number, request = requestOf()): Promise<number | undefined> =>
  onBehalfOf(request, async () => (await read.find(key))?.quotient);

it('requests of one turn share a statement, and each gets its own row', async () => {
  expect(await Promise.all([1, 5, 2, 2, 12].map((key) => find(key)))).toEqual([
    12,
    undefined,
    6,
    6,
    1,
  ]);
  expect(statements).toEqual(['test.many']);
});

it('a request alone uses the statement for one row', async () => {
  expect(await find(4)).toBe(3);
  expect(statements).toEqual(['test.one']);
});

it('a statement has at most 16 keys', async () => {
  const keys = Array.from({ length: 33 }, (_, at) => at + 6);
  const expected = keys.map((key) => Math.floor(12 / key));
  expect(await Promise.all(keys.map((key) => find(key)))).toEqual(expected);
  expect(statements.sort()).toEqual(['test.many', 'test.many', 'test.one']);
});

it('an error that the row of one key causes fails this request alone', async () => {
  const results = await Promise.allSettled([find(3), find(0), find(6)]);
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 4 },
    { status: 'rejected', reason: { message: 'division by zero' } },
    { status: 'fulfilled', value: 2 },
  ]);
});

it('addresses share a statement of an ordinary route of the API only', async () => {
  const of = (route: Route, addressKey: string): RequestContext => ({
    ...requestOf('GET', route),
    addressKey,
  });
  const PAGE = { path: '/book/:id', area: 'site' } as unknown as Route;
  const LIST = { ...ROUTE, path: '/v2/book/list', expensive: 'list' } as unknown as Route;
  for (const [route, shared] of [
    [ROUTE, ['test.many']],
    [PAGE, ['test.one', 'test.one']],
    [LIST, ['test.one', 'test.one']],
  ] as const) {
    statements.length = 0;
    await Promise.all([find(1, of(route, '192.0.2.1')), find(2, of(route, '192.0.2.2'))]);
    expect(statements).toEqual(shared);
    statements.length = 0;
    await Promise.all([find(1, of(route, '192.0.2.1')), find(2, of(route, '192.0.2.1'))]);
    expect(statements).toEqual(['test.many']);
  }
});

it('a client that leaves does not disturb the others', async () => {
  const [before, during] = [requestOf(), requestOf()];
  before.presence.leave();
  const found = [find(1, before), find(2, during), find(3), find(4)];
  setImmediate(() => {
    during.presence.leave();
  });
  expect(await Promise.allSettled(found)).toMatchObject([
    { status: 'rejected', reason: { status: 503 } },
    { status: 'fulfilled', value: 6 },
    { status: 'fulfilled', value: 4 },
    { status: 'fulfilled', value: 3 },
  ]);
  expect(statements).toEqual(['test.many']);
});

const LEFT = { status: 'rejected', reason: { status: 503 } };

it('a request that remains alone is read when the clients before it have left', async () => {
  const left = requestOf();
  left.presence.leave();
  const found = [find(1, left), find(2)];
  expect(await Promise.allSettled(found)).toMatchObject([LEFT, { value: 6 }]);
  expect(statements).toEqual(['test.one']);
});

it('a client of a full statement that leaves does not disturb the next request of the turn', async () => {
  const first = requestOf();
  const keys = Array.from({ length: 16 }, (_, at) => at + 6);
  const full = keys.map((key) => find(key, key === 6 ? first : undefined));
  const next = find(2);
  first.presence.leave();
  expect(await next).toBe(6);
  expect(await Promise.all(full.slice(1))).toEqual(
    keys.slice(1).map((key) => Math.floor(12 / key)),
  );
});

it('a client that leaves does not disturb the others after an error of the statement', async () => {
  const first = requestOf();
  const found = [find(3, first), find(0), find(6)];
  setImmediate(() => {
    first.presence.leave();
  });
  expect(await Promise.allSettled(found)).toMatchObject([
    LEFT,
    { reason: { message: 'division by zero' } },
    { value: 2 },
  ]);
});

it('requests of another route, writes and background work use statements of their own', async () => {
  const background = read.find(6).then((row) => row?.quotient);
  const found = [find(1), find(2, requestOf('GET', OTHER)), find(3, requestOf('POST')), find(4)];
  expect(await Promise.all([...found, background])).toEqual([12, 6, 4, 3, 2]);
  expect(statements.sort()).toEqual(['test.many', 'test.one', 'test.one', 'test.one']);
});

it('fails all requests with 503 when PostgreSQL ends the connection', async () => {
  const kill = statement(
    'test.kill',
    'SELECT pg_terminate_backend(pg_backend_pid()), 1 AS at, $1::int[]',
  );
  const broken = new BatchedRead(opened.database, ONE, kill);
  const found = [1, 2].map((key) => onBehalfOf(requestOf(), () => broken.find(key)));
  expect(await Promise.allSettled(found)).toMatchObject([
    { status: 'rejected', reason: { status: 503 } },
    { status: 'rejected', reason: { status: 503 } },
  ]);
  expect(await find(1)).toBe(12);
});
