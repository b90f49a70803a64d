import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '../../../src/server/listen';
import { Workshop, type Server } from '../../e2e/process/programs';
import { callAt } from '../../http';
import { RedisServer } from '../../redis/redis-server';
import { eventually } from '../processes';
import { Scene } from '../scene';

const BOOKS = 20;

let redis: RedisServer;
let scene: Scene;
let workshop: Workshop;
let other: Server;
let metrics: number;
beforeAll(async () => {
  redis = await RedisServer.open();
  const settings = {
    ...{ CAPTCHA_AFTER: '0', CACHE_MB: '64', LIMITS_WITHOUT_REDIS: 'local' },
    // A server does not trust Redis for this long, and 5 seconds, after it has connected.
    REPLICA_MAX_LAG_MS: '1000',
    REDIS_URL: redis.url,
  };
  metrics = await freePort();
  scene = await Scene.open(settings);
  workshop = await Workshop.open();
  other = await workshop.serve({
    ...settings,
    DATABASE_URL: scene.postgres.url,
    METRICS_PORT: String(metrics),
    LOG_LEVEL: 'fatal',
  });
}, 600_000);
afterAll(async () => {
  await workshop?.close();
  await scene?.close();
  await redis.close();
});

/** Sets the memory limit of Redis: 1 byte rejects all writes, while reads go on. */
async function limitMemory(bytes: number): Promise<void> {
  const client = connect(Number(new URL(redis.url).port), '127.0.0.1');
  client.write(`CONFIG SET maxmemory ${bytes}\r\n`);
  expect(String((await once(client, 'data'))[0])).toBe('+OK\r\n');
  client.destroy();
}

/** Responses that the other server has sent from memory. */
async function hits(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  return Number(
    /^commonplace_response_cache_lookups_total\{result="hit"\} (\d+)$/m.exec(text)?.[1],
  );
}

it('a caller reads its own writes through other servers while Redis is full', async () => {
  const { tokens, books } = await scene.people(1, BOOKS);
  const [token] = tokens;
  const read = (book: number) => callAt(other.origin)(`/v2/book/${book}`, { token });
  await eventually('the other server responds from memory', async () => {
    const before = await hits();
    await read(Number(books[0]));
    return (await hits()) > before;
  });
  await limitMemory(1);
  for (const book of books) {
    // The other server has the book in memory.
    for (let reads = 0; reads < 3; reads += 1) expect((await read(book)).status).toBe(200);
    const body = new URLSearchParams({ status: 'read' });
    const path = `/v2/book/${book}/collection`;
    expect((await scene.call(path, { method: 'POST', token, body })).status).toBe(201);
    expect((await read(book)).body).toHaveProperty('current_user_collection.status', 'read');
  }
  expect(scene.isAlive).toBe(true);
}, 600_000);
