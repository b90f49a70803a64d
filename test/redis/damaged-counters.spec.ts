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
