import { unavailable } from '../../../src/api/errors/error-codes';
import { IdempotencyStep } from '../../../src/api/writes/idempotency.step';
import { Database } from '../../../src/database/database';
import { Factories } from '../../factories/factories';
import { untilBlocked } from '../../until-blocked';
import { startHarness, type Harness } from '../../harness';
import { until } from '../process/programs';
import { expectRefused, writer, type Writer } from './writes';

const CONTENT = 'x'.repeat(151);
const REVIEWS = '/v2/book/reviews';

let harness: Harness;
let make: Factories;
let user: Writer;
let book: number;
let made = 0;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
  book = await make.aBook();
});
afterAll(() => harness.close());

const freshKey = (): Record<string, string> => {
  made += 1;
  return { 'Idempotency-Key': `key-${made}` };
};
const review = (headers: Record<string, string>, title = 'Once', by = user) =>
  by.post(REVIEWS, { book, title, content: CONTENT }, headers);
const count = async (title: string): Promise<number> => {
  const sql = 'SELECT count(*)::int AS n FROM reviews WHERE title = $1';
  return (await harness.source.query<{ n: number }[]>(sql, [title]))[0]?.n ?? -1;
};

/**
 * Makes the first executions of a statement fail.
 * @returns their number until now
 */
function failFirst(name: string, attempts: number): () => number {
  const database = harness.app.get(Database);
  const query: typeof database.query = database.query.bind(database);
  let failures = 0;
  jest.spyOn(database, 'query').mockImplementation((sql, values) => {
    if (sql.name !== name || failures >= attempts) return query(sql, values);
    failures += 1;
    return Promise.reject(unavailable(new Error('the queue is full')));
  });
  return () => failures;
}

describe('a POST with an Idempotency-Key', () => {
  it('is executed once, and returns the same response each time', async () => {
    const key = freshKey();
    const first = await review(key, 'Alike');
    const second = await review(key, 'Alike');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(await count('Alike')).toBe(1);
  });

  it('returns the same error again', async () => {
    const key = freshKey();
    const path = `/v2/book/${await make.aBook()}/collection`;
    await user.post(path, { status: 'wish' });
    expectRefused(await user.post(path, { status: 'read' }, key), 409, 6011);
    await user.remove(path);
    expectRefused(await user.post(path, { status: 'read' }, key), 409, 6011);
    expect((await user.post(path, { status: 'read' }, freshKey())).status).toBe(201);
  });

  it('returns 422 when the key belongs to another request', async () => {
    const key = freshKey();
    await review(key, 'First');
    expectRefused(await review(key, 'Second'), 422, 999);
    expectRefused(
      await user.post(`/v2/book/${book}/collection`, { status: 'read' }, key),
      422,
      999,
    );
    expect(await count('Second')).toBe(0);
  });

  it('is executed once by 30 concurrent requests; the others get 409 or the same response', async () => {
    const key = freshKey();
    const responses = await Promise.all(Array.from({ length: 30 }, () => review(key, 'At once')));
    const created = responses.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThanOrEqual(1);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    const others = responses.filter(({ status }) => status !== 201);
    for (const response of others) {
      expectRefused(response, 409, 999);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(await count('At once')).toBe(1);
    expect((await review(key, 'At once')).text).toBe(created[0]?.text);
  });

  it('may have the same key as one of another user or application', async () => {
    const key = freshKey();
    const other = await writer(harness, (await make.aUser()).id);
    const same = await writer(harness, user.id);
    for (const by of [user, other, same]) {
      expect((await review(key, 'Shared name', by)).status).toBe(201);
    }
    expect(await count('Shared name')).toBe(3);
  });

  it('is executed again when its key is a day old', async () => {
    const key = freshKey();
    await review(key, 'Yesterday');
    const back = `UPDATE idempotency_keys SET started_at = now() - interval '24 hours 1 second'`;
    await harness.source.query(back);
    expect((await review(key, 'Yesterday')).status).toBe(201);
    expect(await count('Yesterday')).toBe(2);
  });

  it('waits for a running attempt, and takes over an abandoned one', async () => {
    const key = freshKey();
    await review(key, 'Dead');
    const dead = 'UPDATE idempotency_keys SET response = NULL, executed = false WHERE key = $1';
    await harness.source.query(dead, [key['Idempotency-Key']]);
    expectRefused(await review(key, 'Dead'), 409, 999);
    const old = `UPDATE idempotency_keys SET started_at = now() - interval '61 seconds' WHERE key = $1`;
    await harness.source.query(old, [key['Idempotency-Key']]);
    expect((await review(key, 'Dead')).status).toBe(201);
  });

  describe('after the clock of PostgreSQL was set back', () => {
    const change = async (key: Record<string, string>, ahead: string, more = ''): Promise<void> => {
      const sql = `UPDATE idempotency_keys SET started_at = now() + $2::interval ${more} WHERE key = $1`;
      await harness.source.query(sql, [key['Idempotency-Key'], ahead]);
    };

    it('takes over an abandoned attempt', async () => {
      const key = freshKey();
      await review(key, 'Ahead');
      await change(key, '50 seconds', ', response = NULL, executed = false');
      expectRefused(await review(key, 'Ahead'), 409, 999);
      await change(key, '61 seconds');
      expect((await review(key, 'Ahead')).status).toBe(201);
    });

    it('is not executed again after its transaction committed', async () => {
      const key = freshKey();
      const first = await review(key, 'Executed ahead');
      await change(key, '23 hours');
      const second = await review(key, 'Executed ahead');
      expect([second.status, second.text]).toEqual([201, first.text]);
      await change(key, '1 hour', ', response = NULL');
      const lost = await review(key, 'Executed ahead');
      expectRefused(lost, 409, 999);
      expect(lost.headers.get('retry-after')).toBeNull();
      expect(await count('Executed ahead')).toBe(1);
    });

    it('is executed again when its key is more than a day ahead', async () => {
      const key = freshKey();
      await review(key, 'Tomorrow');
      await change(key, '24 hours 1 minute');
      expect((await review(key, 'Tomorrow')).status).toBe(201);
      expect(await count('Tomorrow')).toBe(2);
    });
  });

  it('gets 409 when another attempt has taken over its key meanwhile', async () => {
    const key = freshKey();
    const locker = harness.source.createQueryRunner();
    await locker.startTransaction();
    await locker.query('LOCK TABLE reviews IN EXCLUSIVE MODE');
    const sent = review(key, 'Frozen');
    await untilBlocked(harness.source);
    // As after a minute in which its process was frozen.
    const taken = 'UPDATE idempotency_keys SET attempt = attempt + 1 WHERE key = $1';
    await harness.source.query(taken, [key['Idempotency-Key']]);
    await locker.rollbackTransaction();
    await locker.release();
    const refused = await sent;
    expectRefused(refused, 409, 999);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await count('Frozen')).toBe(0);
  });

  it('is never executed again after its transaction committed, also when its response was lost', async () => {
    const key = freshKey();
    await review(key, 'Lost');
    const lost = `UPDATE idempotency_keys SET response = NULL, started_at = now() - interval '1 hour'
      WHERE key = $1 RETURNING executed`;
    const [rows] = await harness.source.query<[unknown[]]>(lost, [key['Idempotency-Key']]);
    expect(rows).toEqual([{ executed: true }]);
    const repeated = await review(key, 'Lost');
    expectRefused(repeated, 409, 999);
    expect(repeated.headers.get('retry-after')).toBeNull();
    expect(repeated.headers.get('x-error-detail')).toContain('its response was not stored');
    expect(await count('Lost')).toBe(1);
  });

  it('is acknowledged although the database refuses to store its response at first', async () => {
    const key = freshKey();
    const failures = failFirst('idempotency.response', 2);
    const first = await review(key, 'Busy');
    expect([first.status, failures()]).toEqual([201, 1]);
    const again = async () => review(key, 'Busy');
    await until(async () => (await again()).status === 201);
    jest.restoreAllMocks();
    expect((await again()).text).toBe(first.text);
    expect([await count('Busy'), failures()]).toEqual([1, 2]);
  });

  it.each(['', 'with space', 'k'.repeat(256)])('rejects the key %p', async (key) => {
    const response = await review({ 'Idempotency-Key': key }, 'Bad key');
    expectRefused(response, 400, 999);
    expect(await count('Bad key')).toBe(0);
  });
});

it('a PUT with an Idempotency-Key ignores it', async () => {
  const path = `/v2/book/${await make.aBook()}/collection`;
  await user.post(path, { status: 'read' });
  const token = await harness.token({ userId: user.id });
  for (const status of ['wish', 'read']) {
    const body = new URLSearchParams({ status });
    const headers = { 'Idempotency-Key': 'put' };
    const response = await harness.call(path, { method: 'PUT', token, headers, body });
    expect([response.status, response.body.status]).toEqual([202, status]);
  }
});

// The last test: the service makes no further attempts afterwards.
it('a POST with an Idempotency-Key has its response stored when the service stops before the next attempt', async () => {
  const key = freshKey();
  failFirst('idempotency.response', 1);
  const first = await review(key, 'Stopped');
  await harness.app.get(IdempotencyStep, { strict: false }).onModuleDestroy();
  jest.restoreAllMocks();
  expect(await review(key, 'Stopped')).toMatchObject({ status: 201, text: first.text });
});
