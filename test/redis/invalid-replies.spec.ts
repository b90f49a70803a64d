import { type DataSource } from 'typeorm';
import { makeDataSource } from '../../src/database/data-source';
import { ENTITIES } from '../../src/server/entities';
import { serveOn, type Served } from '../e2e/api/serve-on';
import { limited, OPEN } from '../e2e/limits/callers';
import { until } from '../e2e/process/programs';
import { Tunnel } from '../faults/tunnel';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';
import { RedisServer } from './redis-server';

let database: TestDatabase;
let source: DataSource;
let redis: RedisServer;
let tunnel: Tunnel;
let servers: Served[];

beforeAll(async () => {
  database = await openTestDatabase();
  redis = await RedisServer.open();
  tunnel = await Tunnel.before(redis.url);
  source = makeDataSource(testSettings(), database.url, ENTITIES);
  await source.initialize();
  const settings = { TRUSTED_PROXIES: '1', LIMIT_ANONYMOUS: '150' };
  servers = [];
  for (const url of [tunnel.url, redis.url]) {
    servers.push(
      await serveOn(source, { root: limited, settings: { ...settings, REDIS_URL: url } }),
    );
  }
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await source.destroy();
  await tunnel.end();
  await redis.close();
  await database.close();
});

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

/** How many requests of a new address are left after one to each server. */
async function remaining(address: string): Promise<unknown[]> {
  const left: unknown[] = [];
  for (const server of servers) {
    const { status, headers } = await server.call(OPEN, {
      headers: { 'x-forwarded-for': address },
    });
    expect(status).toBe(200);
    left.push(headers.get('x-ratelimit-remaining'));
  }
  return left;
}

/** Whether both servers use Redis. */
async function countsTogether(): Promise<boolean> {
  const [first, second] = await remaining(freshAddress());
  return first === '149' && second === '148';
}

it.each(['$-1\r\n', '*-1\r\n', '+OK\r\n', ':5\r\n', 'HTTP/1.1 400 Bad Request\r\n\r\n'])(
  'a reply that no command waits for fails no request: %j',
  async (reply) => {
    await until(countsTogether);
    for (let round = 0; round < 3; round += 1) {
      tunnel.inject(Buffer.from(reply));
      await remaining(freshAddress());
    }
    await until(countsTogether);
  },
);
