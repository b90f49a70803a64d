import { request, type ClientRequest, type RequestOptions } from 'node:http';
import { Client } from 'pg';
import { makeDataSource } from '../../src/database/data-source';
import { ENTITIES } from '../../src/server/entities';
import { serveOn } from '../e2e/api/serve-on';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { lockWaiters } from '../lock-waiters';
import { testSettings } from '../settings';
import { until } from './collectors';
import { Tunnel } from './tunnel';

let harness: Harness;
let locker: Client;
let book: number;
let user: { id: number };

beforeAll(async () => {
  harness = await startHarness({
    settings: { DATABASE_STATEMENT_TIMEOUT_MS: '0', DATABASE_LOCK_TIMEOUT_MS: '0' },
  });
  const make = new Factories(harness.database);
  book = await make.aBook();
  user = await make.aUser();
});
afterAll(() => harness.close());

beforeEach(async () => {
  locker = new Client({ connectionString: harness.url });
  await locker.connect();
  await locker.query('BEGIN');
});
afterEach(() => locker.end());

/** Statements that wait for the table. */
const waitingForIt = (): Promise<number> => lockWaiters(locker);

/** A request whose client does not wait for the response. */
function ask(path: string, options: RequestOptions = {}, body?: string): ClientRequest {
  const requests = request(`${harness.origin}${path}`, { ...options, agent: false });
  return requests.on('error', () => undefined).end(body);
}

it('a read is cancelled in PostgreSQL when its client disconnects, and the connection is reused', async () => {
  await locker.query('LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
  const requests = [ask(`/v2/book/${book}`), ask('/v2/book/search?q=book')];
  await until('both wait', async () => (await waitingForIt()) === 2);
  const { totalCount } = harness.database.pool;
  for (const one of requests) one.destroy();
  await until('none waits', async () => (await waitingForIt()) === 0);
  await until('both are free', () => harness.database.pool.idleCount === totalCount);
  await locker.query('ROLLBACK');
  expect((await harness.call(`/v2/book/${book}`)).status).toBe(200);
});

it('a request that waits for a connection is removed when its client disconnects', async () => {
  await locker.query('LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
  const requests = Array.from({ length: 40 }, () => ask(`/v2/book/${book}/tags`));
  await until('the queue is long', () => harness.database.waiting > 20);
  for (const one of requests) one.destroy();
  await until('the queue is empty', () => harness.database.waiting === 0);
  await until('none waits', async () => (await waitingForIt()) === 0);
  await locker.query('ROLLBACK');
});

it('a statement that reads records for several requests is cancelled when the last client disconnects', async () => {
  await locker.query('LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
  const names: string[] = [];
  harness.database.onStatement = (name) => names.push(name);
  const requests = Array.from({ length: 40 }, () => ask(`/v2/book/${book}`));
  await until('statements wait', async () => (await waitingForIt()) > 1);
  const last = requests.pop();
  for (const one of requests) one.destroy();
  await until('one statement waits', async () => (await waitingForIt()) === 1);
  last?.destroy();
  await until('none waits', async () => (await waitingForIt()) === 0);
  harness.database.onStatement = undefined;
  expect(names).toContain('books.many_by_id');
  await locker.query('ROLLBACK');
  expect((await harness.call(`/v2/book/${book}`)).status).toBe(200);
});

it('a write that has started is completed when its client disconnects', async () => {
  const token = await harness.token({ userId: user.id });
  await locker.query('LOCK TABLE collections IN ACCESS EXCLUSIVE MODE');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const path = `/v2/book/${book}/collection`;
  const requests = ask(path, { method: 'POST', headers }, 'status=wish');
  await until('it waits', async () => (await waitingForIt()) === 1);
  const left = new Promise((resolve) => requests.once('close', resolve));
  requests.destroy();
  await left;
  // Requests of others are served meanwhile, so that the server has seen it leave.
  expect((await harness.call('/docs')).status).toBe(200);
  expect(await waitingForIt()).toBe(1);
  await locker.query('ROLLBACK');
  await until('it is done', async () => {
    const rows = await harness.source.query<object[]>(
      'SELECT 1 FROM collections WHERE user_id = $1 AND book_id = $2',
      [user.id, book],
    );
    return rows.length === 1;
  });
});

it('a cancellation that PostgreSQL does not receive is repeated', async () => {
  const tunnel = await Tunnel.before(harness.url);
  const settings = { DATABASE_STATEMENT_TIMEOUT_MS: '0', DATABASE_LOCK_TIMEOUT_MS: '0' };
  const source = makeDataSource(testSettings(settings), tunnel.url, ENTITIES);
  await source.initialize();
  const served = await serveOn(source, { settings });
  try {
    await locker.query('LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
    const client = new AbortController();
    const call = served.call(`/v2/book/${book}`, { signal: client.signal });
    await until('it waits', async () => (await waitingForIt()) === 1);
    tunnel.refuseNext();
    client.abort();
    await expect(call).rejects.toThrow('aborted');
    await until('none waits', async () => (await waitingForIt()) === 0);
    expect(tunnel.refused).toBe(0);
    await locker.query('ROLLBACK');
    expect((await served.call(`/v2/book/${book}`)).status).toBe(200);
  } finally {
    await served.close();
    await source.destroy();
    await tunnel.end();
  }
});
