import { Redis } from 'ioredis';
import { RefusingCounters, type Counted } from '../../src/limits/counters';
import { RedisCounters } from '../../src/limits/redis-counters';
import { RedisServer } from './redis-server';

const LIMIT = 3;
const damaged: Counted = { key: 'damaged', limit: LIMIT, window: 3600 };
const KEY = 'commonplace:counter:damaged';

let server: RedisServer;
/** A client of the test's own. */
let redis: Redis;
let counters: RedisCounters;

beforeEach(async () => {
  server = await RedisServer.open();
  redis = new Redis(server.url);
  counters = new RedisCounters(server.url, new RefusingCounters());
  await counters.open();
});

afterEach(async () => {
  counters.close();
  redis.disconnect();
  await server.close();
});

async function granted(requests: number): Promise<number> {
  let sum = 0;
  for (let at = 0; at < requests; at += 1)
    if ((await counters.consume([damaged])).granted) sum += 1;
  return sum;
}

const values: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['text as its count', () => redis.hset(KEY, 'n', 'abc')],
  ['nan as its count', () => redis.hset(KEY, 'n', 'nan')],
  ['a negative count', () => redis.hset(KEY, 'n', '-1000')],
  ['a count beyond all numbers', () => redis.hset(KEY, 'n', '9'.repeat(400))],
  ['no count', () => redis.hdel(KEY, 'n')],
  ['no end', () => redis.persist(KEY)],
  ['the type list', () => redis.multi().del(KEY).lpush(KEY, 'x').exec()],
  ['the type string', () => redis.set(KEY, '1')],
];

describe.each(values)('a counter with %s', (_name, damage) => {
  it('begins again once, and Redis stays available to all', async () => {
    expect(await granted(1)).toBe(1);
    await damage();
    expect(await granted(2 * LIMIT)).toBe(LIMIT);
    expect(counters.isAvailable).toBe(true);
    expect(await redis.hget(KEY, 'n')).toBe(String(LIMIT));
  });

  it('is read as unused, and is not refunded', async () => {
    expect(await granted(1)).toBe(1);
    await damage();
    expect(await counters.read([damaged])).toEqual([{ used: 0, reset: undefined }]);
    expect(await granted(1)).toBe(1);
    await damage();
    await counters.refund([damaged]);
    expect(counters.isAvailable).toBe(true);
    expect(await granted(2 * LIMIT)).toBe(LIMIT);
  });
});

describe('a counter that ends later than its window, because the clock of Redis was set back', () => {
  const WINDOW_MS = 1000 * damaged.window;
  beforeEach(async () => {
    expect(await granted(1)).toBe(1);
    await redis.pexpire(KEY, 100 * WINDOW_MS);
  });

  it('ends with its window when it is counted, and other counters when they did', async () => {
    const other: Counted = { key: 'other', limit: LIMIT, window: 2 * damaged.window };
    await counters.consume([other]);
    await redis.pexpire('commonplace:counter:other', WINDOW_MS / 2);
    const { granted: isGranted, counts } = await counters.consume([damaged, other]);
    expect([isGranted, counts[0]]).toEqual([true, { used: 2, reset: WINDOW_MS }]);
    expect(await redis.pttl(KEY)).toBeLessThanOrEqual(WINDOW_MS);
    expect(counts[1]?.reset).toBeLessThanOrEqual(WINDOW_MS / 2);
    expect(await redis.pttl('commonplace:counter:other')).toBeLessThanOrEqual(WINDOW_MS / 2);
  });

  it('ends with its window when it is full', async () => {
    expect(await granted(LIMIT)).toBe(LIMIT - 1);
    await redis.pexpire(KEY, 100 * WINDOW_MS);
    const { granted: isGranted, counts } = await counters.consume([damaged]);
    expect([isGranted, counts]).toEqual([false, [{ used: LIMIT, reset: WINDOW_MS }]]);
    expect(await redis.pttl(KEY)).toBeLessThanOrEqual(WINDOW_MS);
  });

  it('ends with its window when it is read', async () => {
    expect(await counters.read([damaged])).toEqual([{ used: 1, reset: WINDOW_MS }]);
    expect(await redis.pttl(KEY)).toBeLessThanOrEqual(WINDOW_MS);
  });
});

it('marks of a connection that are no numbers are replaced', async () => {
  expect(await granted(1)).toBe(1);
  const marks = (await redis.hkeys(KEY)).filter((name) => name !== 'n');
  for (const mark of marks) await redis.hset(KEY, mark, 'abc');
  await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  expect(await granted(2 * LIMIT)).toBe(LIMIT - 1);
});

it('a command that Redis rejects does not make it unavailable to other commands', async () => {
  const wrong = { ...damaged, limit: 'no number' as unknown as number };
  await expect(counters.consume([wrong])).rejects.toMatchObject({ status: 503 });
  expect(counters.isAvailable).toBe(true);
  expect(await granted(2 * LIMIT)).toBe(LIMIT);
});
