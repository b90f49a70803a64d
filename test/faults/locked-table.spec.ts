import { Client } from 'pg';
import { type TestResponse } from '../http';
import { Factories } from '../factories/factories';
import { anAdministrator } from '../e2e/admin/administrators';
import { aClient, type TestClient } from '../e2e/oauth/flows';
import { startHarness, type Harness } from '../harness';
import { lockWaiters } from '../lock-waiters';
import { until } from './collectors';
import { sendFrom, type SentFrom } from './send-from';

const POOL = 10;
const QUEUE = 20;
/**
 * The parts of both that an area, the searches of an address, and the searches that cannot be stored
 * may hold (docs/operations.md, "Overload").
 */
const OF_AREA = { pool: 7, queue: 14 };
const OF_SEARCHES = { pool: 2, queue: 4 };
const UNSTORED = { pool: 2 };
/** The part of expensive lists of an address. */
const OF_LISTS = { pool: 3, queue: 5 };
/** The part of pages of an address. */
const OF_PAGES = { pool: 4 };
/** The part of requests for tokens of an address, before they are authenticated, or of an application. */
const OF_TOKENS = { pool: 5, queue: 10 };
/** The part of look-ups of tokens for the administration API, of an address. */
const OF_LOOKUPS = { pool: 2 };
const REQUESTS = 60;
const ISBN = '9787111128069';

let harness: Harness;
let locker: Client;
let book: number;

beforeAll(async () => {
  harness = await startHarness({
    settings: {
      DATABASE_POOL: String(POOL),
      DATABASE_QUEUE: String(QUEUE),
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      DATABASE_LOCK_TIMEOUT_MS: '60000',
    },
  });
  book = await new Factories(harness.database).aBook({ isbn13: ISBN });
});
afterAll(() => harness.close());

beforeEach(async () => {
  locker = new Client({ connectionString: harness.url });
  await locker.connect();
  await locker.query('BEGIN');
});
afterEach(() => locker.end());

const lock = (table: string): Promise<unknown> =>
  locker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
const unlock = (): Promise<unknown> => locker.query('ROLLBACK');

/** Statements that wait for the table. */
const waitingForIt = (): Promise<number> => lockWaiters(locker);

const countStatuses = (responses: readonly TestResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

it.each([
  ['reads', () => `/v2/book/isbn/${ISBN}`, OF_AREA],
  ['searches', () => '/v2/book/search?q=book', OF_SEARCHES],
])(
  '%s of a locked table use only their share, and the rest is rejected at once',
  async (...row) => {
    const [, path, share] = row;
    await lock('books');
    const refused: TestResponse[] = [];
    const all = Array.from({ length: REQUESTS }, async () => {
      const response = await harness.call(path());
      if (response.status === 503) refused.push(response);
      return response;
    });
    const served = share.pool + share.queue;
    await until('the rest is refused', () => refused.length === REQUESTS - served);
    await until('the share is used', async () => (await waitingForIt()) === share.pool);
    expect(harness.database.waiting).toBe(share.queue);
    for (const { headers, body } of refused) {
      expect(body.code).toBe(999);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }

    // Meanwhile everything else is served.
    for (const other of ['/healthz', '/readyz', '/v2/loc/list', '/v2/event/list', '/docs']) {
      expect([other, (await harness.call(other)).status]).toEqual([other, 200]);
    }
    expect(await waitingForIt()).toBe(share.pool);
    await unlock();
    expect(countStatuses(await Promise.all(all))).toEqual({ 200: served, 503: REQUESTS - served });
    expect(harness.database.waiting).toBe(0);
  },
);

const statusFrom = (...sent: SentFrom): Promise<number> => sendFrom(harness.origin, ...sent);

/** Films are searched by words without their tags. */
const BY_WORDS = '/v2/movie/search?q=film';
const statusesOfOthers = (): Promise<number[]> =>
  Promise.all([1, 2].map(() => statusFrom('127.0.0.3', BY_WORDS)));

it('searches of one address that wait leave connections to the searches of others', async () => {
  await lock('subject_tags');
  const statuses: number[] = [];
  const all = Array.from({ length: REQUESTS }, async () => {
    statuses.push(await statusFrom('127.0.0.2', `${BY_WORDS}&tag=film`));
  });
  const served = OF_SEARCHES.pool + OF_SEARCHES.queue;
  await until('the rest is refused', () => statuses.length === REQUESTS - served);
  await until('the share is used', async () => (await waitingForIt()) === OF_SEARCHES.pool);
  expect(await statusesOfOthers()).toEqual([200, 200]);
  await unlock();
  await Promise.all(all);
  expect(statuses.filter((status) => status === 200)).toHaveLength(served);
});

it('lists of one address that wait leave connections to the lists of others', async () => {
  await lock('annotations');
  const statuses: number[] = [];
  const all = Array.from({ length: REQUESTS }, async () => {
    statuses.push(await statusFrom('127.0.0.13', `/v2/book/${book}/annotations`));
  });
  const served = OF_LISTS.pool + OF_LISTS.queue;
  await until('the rest is refused', () => statuses.length === REQUESTS - served);
  await until('the share is used', async () => (await waitingForIt()) === OF_LISTS.pool);
  const others = [1, 2].map(() => statusFrom('127.0.0.14', `/v2/book/list?ids=${book}`));
  expect(await Promise.all(others)).toEqual([200, 200]);
  await unlock();
  await Promise.all(all);
  expect(statuses.filter((status) => status === 200)).toHaveLength(served);
});

it('searches that cannot be stored leave connections to others, from however many addresses', async () => {
  await lock('subject_tags');
  const path = `${BY_WORDS}${'+film'.repeat(30)}&tag=film`;
  const all = Array.from({ length: QUEUE / 2 }, (_, at) => statusFrom(`127.0.1.${at + 1}`, path));
  await until('the share is used', async () => (await waitingForIt()) === UNSTORED.pool);
  await until('some wait', () => harness.database.waiting > 0);
  expect(await statusesOfOthers()).toEqual([200, 200]);
  expect(await waitingForIt()).toBe(UNSTORED.pool);
  await unlock();
  await Promise.all(all);
});

/** Requests a token of an application. @returns the status */
const tokenStatus = (
  localAddress: string,
  { clientId, secret = '' }: TestClient = { clientId: '1'.repeat(32), secret: 'wrong' },
): Promise<number> => {
  const credentials = { client_id: clientId, client_secret: secret };
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  return statusFrom(localAddress, '/service/auth2/token', { form });
};

it('pages of one address that wait leave connections to those of others', async () => {
  await lock('events');
  const all = Array.from({ length: REQUESTS }, () => statusFrom('127.0.0.4', '/event/list'));
  await until('the share is used', async () => (await waitingForIt()) >= OF_PAGES.pool);
  expect(await statusFrom('127.0.0.5', `/book/${book}/`)).toBe(200);
  expect(await waitingForIt()).toBe(OF_PAGES.pool);
  await unlock();
  await Promise.all(all);
});

it('pages that search use the share of searches', async () => {
  await lock('books');
  const all = Array.from({ length: REQUESTS }, () => statusFrom('127.0.0.6', '/book/tag/novel'));
  await until('the share is used', async () => (await waitingForIt()) >= OF_SEARCHES.pool);
  expect(await statusFrom('127.0.0.6', '/event/list')).toBe(200);
  expect(await waitingForIt()).toBe(OF_SEARCHES.pool);
  await unlock();
  await Promise.all(all);
});

it('pages that wait leave connections to the token endpoint, from however many addresses', async () => {
  await lock('events');
  const addresses = Array.from({ length: QUEUE }, (_, at) => `127.0.2.${at + 1}`);
  const all = addresses.map((address) => statusFrom(address, '/event/list'));
  await until('the share is used', async () => (await waitingForIt()) === OF_AREA.pool);
  expect(await tokenStatus('127.0.0.1')).toBe(401);
  await unlock();
  await Promise.all(all);
});

it('wrong secrets of one address that wait leave connections to the tokens of others', async () => {
  const client = await aClient(harness);
  await lock('applications');
  const wrong = Array.from({ length: REQUESTS }, () => tokenStatus('127.0.0.7'));
  await until('the share is used', async () => (await waitingForIt()) >= OF_TOKENS.pool);
  await until('some wait', () => harness.database.waiting > 0);
  // A busy machine may reject a request, whose client repeats it.
  const patient = async (address: string): Promise<number> => {
    const status = await tokenStatus(address, client);
    return status === 503 ? patient(address) : status;
  };
  const others = [patient('127.0.0.8'), patient('127.0.0.9')];
  const all = OF_TOKENS.pool + others.length;
  // Background work waits for the table too, but does not look up clients.
  const lookups = (): Promise<number> => lockWaiters(locker, 'a.client_id = $1');
  await until('others have connections', async () => (await lookups()) === all);
  await unlock();
  expect(await Promise.all(others)).toEqual([200, 200]);
  expect((await Promise.all(wrong)).filter((status) => status !== 401 && status !== 503)).toEqual(
    [],
  );
});

it('tokens of one application that wait leave connections to those of others at its address', async () => {
  const [client, other] = [await aClient(harness), await aClient(harness)];
  await locker.query('SELECT FROM applications WHERE id = $1 FOR UPDATE', [client.id]);
  const waiting: Promise<number>[] = [];
  // One after the other, so that no request waits to be authenticated.
  while (waiting.length < OF_TOKENS.pool + OF_TOKENS.queue) {
    waiting.push(tokenStatus('127.0.0.10', client));
    await until(
      'it waits',
      async () => (await waitingForIt()) + harness.database.waiting === waiting.length,
    );
  }
  expect(await tokenStatus('127.0.0.10', client)).toBe(503);
  expect(await tokenStatus('127.0.0.10', other)).toBe(200);
  expect(await waitingForIt()).toBe(OF_TOKENS.pool);
  await unlock();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
});

it('wrong tokens of one address that wait leave connections to administrators', async () => {
  const { token } = await anAdministrator(harness);
  const path = '/admin/v1/words';
  await lock('access_tokens');
  const wrong = Array.from({ length: REQUESTS }, (_, at) =>
    statusFrom('127.0.0.11', path, { token: `cpat_${at}` }),
  );
  await until('the share is used', async () => (await waitingForIt()) >= OF_LOOKUPS.pool);
  await until('some wait', () => harness.database.waiting > 0);
  const right = statusFrom('127.0.0.12', path, { token });
  await until(
    'another has a connection',
    async () => (await waitingForIt()) === OF_LOOKUPS.pool + 1,
  );
  await unlock();
  expect(await right).toBe(200);
  expect((await Promise.all(wrong)).filter((status) => status !== 401 && status !== 503)).toEqual(
    [],
  );
});

it('concurrent reads of records in a locked table share statements, which use only their share', async () => {
  await lock('books');
  const all = Array.from({ length: 5 * REQUESTS }, () => harness.call(`/v2/book/${book}`));
  await until('the share is used', async () => (await waitingForIt()) === OF_AREA.pool);
  for (const other of ['/healthz', '/readyz', '/v2/loc/list', '/v2/event/list', '/docs']) {
    expect([other, (await harness.call(other)).status]).toEqual([other, 200]);
  }
  expect(await waitingForIt()).toBe(OF_AREA.pool);
  await unlock();
  const counts = countStatuses(await Promise.all(all));
  expect((counts[200] ?? 0) + (counts[503] ?? 0)).toBe(5 * REQUESTS);
  expect(counts[200]).toBeGreaterThan(OF_AREA.pool);
  expect(harness.database.waiting).toBe(0);
});

it('/healthz returns 200 while a table that /readyz needs is locked', async () => {
  await lock('migrations');
  const ready = harness.call('/readyz');
  await until('it waits', async () => (await waitingForIt()) === 1);
  // One probe is enough, however many come.
  const more = [harness.call('/readyz'), harness.call('/readyz')];
  expect((await harness.call('/healthz')).status).toBe(200);
  expect((await harness.call(`/v2/book/${book}`)).status).toBe(200);
  expect(await waitingForIt()).toBe(1);
  await unlock();
  for (const response of await Promise.all([ready, ...more])) expect(response.status).toBe(200);
});
