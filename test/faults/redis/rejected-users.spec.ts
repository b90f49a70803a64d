import { RedisServer } from '../../redis/redis-server';
import { until } from '../collectors';
import { Scene } from '../scene';

const LIMIT = 5;
/** Rejected requests, whose two answers of Redis arrive in any order. */
const REJECTED = 400;
const AT_ONCE = 20;

jest.setTimeout(120_000);

let redis: RedisServer;
let scene: Scene;
let token: string | undefined;
let path: string;
beforeEach(async () => {
  redis = await RedisServer.open();
});
afterEach(async () => {
  await scene?.close();
  await redis.close();
});

async function open(settings: Record<string, string>): Promise<void> {
  scene = await Scene.open({ REDIS_URL: redis.url, ...settings });
  const { tokens, books } = await scene.people(1, 1);
  [token] = tokens;
  path = `/v2/book/${books[0]}`;
}

const status = async (): Promise<number> => (await scene.call(path, { token })).status;

it('a user beyond the limit gets 429 each time, and the server runs on', async () => {
  await open({ LIMIT_USER_L1: String(LIMIT) });
  for (let count = 0; count < LIMIT; count += 1) expect(await status()).toBe(200);
  for (let count = 0; count < REJECTED; count += AT_ONCE) {
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, status));
    expect(new Set(statuses)).toEqual(new Set([429]));
  }
  expect(scene.isAlive).toBe(true);
});

it('with LIMITS_WITHOUT_REDIS=refuse, reads of a user get 503 without Redis, and the server runs on', async () => {
  await open({ LIMITS_WITHOUT_REDIS: 'refuse', LIMIT_USER_L1: '100000' });
  expect(await status()).toBe(200);
  await redis.kill();
  await until('Redis is known to be gone', async () => (await status()) === 503);
  const statuses = new Set<number>();
  for (let count = 0; count < 50; count += 1) statuses.add(await status());
  expect([...statuses]).toEqual([503]);
  await redis.start();
  await until('Redis is used again', async () => (await status()) === 200);
  expect(scene.isAlive).toBe(true);
});
