import Redis from 'ioredis';
import { RedisWriteMarks } from '../../src/consistency/redis-write-marks';
import { encodePosition } from '../../src/database/replicas/log-position';
import { RedisServer } from './redis-server';

let server: RedisServer;
let redis: Redis;
let marks: RedisWriteMarks;

beforeAll(async () => {
  server = await RedisServer.open();
  redis = new Redis(server.url);
  marks = new RedisWriteMarks(server.url, 0);
  await marks.open();
});

afterAll(async () => {
  marks.close();
  redis.disconnect();
  await server.kill();
});

it('remembers the later position of a caller; a later timeline replaces a former one', async () => {
  const key = 'commonplace:write:user:1';
  const at = (timeline: number, position: number): string => encodePosition({ timeline, position });
  const set = async (position: string): Promise<string | null> => {
    await marks.set('user:1', position);
    return redis.get(key);
  };
  expect(await set(at(1, 900))).toBe(at(1, 900));
  expect(await set(at(1, 800))).toBe(at(1, 900));
  expect(await set(at(2, 100))).toBe(at(2, 100));
  expect(await set(at(1, 2 ** 40))).toBe(at(2, 100));
  await redis.set(key, 'damaged');
  expect(await set(at(2, 50))).toBe(at(2, 50));
  await redis.set(key, '900');
  expect(await set(at(2, 50))).toBe(at(2, 50));
});
