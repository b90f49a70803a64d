import { type DataSource } from 'typeorm';
import { ENTITIES } from '../../src/server/entities';
import { makeDataSource } from '../../src/database/data-source';
import { type CallingApplication } from '../../src/api/access/access';
import { LimiterService } from '../../src/limits/limiter.service';
import { limited, OPEN } from '../e2e/limits/callers';
import { serveOn, type Served } from '../e2e/api/serve-on';
import { until, Workshop, type Server } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';
import { RedisServer } from './redis-server';

let database: TestDatabase;
let sources: DataSource[];
let redis: RedisServer;
let servers: Served[];
let next = 0;

beforeEach(async () => {
  database = await openTestDatabase();
  redis = await RedisServer.open();
  sources = [];
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.close();
  for (const source of sources) await source.destroy();
  await redis.close();
  await database.close();
});

/** A server that counts in Redis, as a process of its own would. */
async function serve(settings: Record<string, string> = {}): Promise<Served> {
  const source = makeDataSource(testSettings(), database.url, ENTITIES);
  await source.initialize();
  sources.push(source);
  const server = await serveOn(source, {
    root: limited,
    settings: { REDIS_URL: redis.url, TRUSTED_PROXIES: '1', LIMIT_ANONYMOUS: '150', ...settings },
  });
  servers.push(server);
  return server;
}

/** An address that nobody has called from. */
function fresh(): RequestInit {
  next += 1;
  return { headers: { 'x-forwarded-for': `198.51.100.${next}` } };
}

/** How often each status came, of calls to servers in turn, all at once. */
async function countStatuses(calls: number, init: RequestInit): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const call = async (at: number): Promise<void> => {
    const response = await (servers[at % servers.length] as Served).call(OPEN, init);
    await response.text();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: calls }, (_, at) => call(at)));
  return counts;
}

/** Whether what one server counts is seen by the other. */
async function countsTogether(): Promise<boolean> {
  const init = fresh();
  const left: string[] = [];
  for (const server of servers) {
    const response = await server.call(OPEN, init);
    left.push(String(response.headers.get('x-ratelimit-remaining')));
  }
  return new Set(left).size === left.length;
}

it('servers with one Redis share the limits exactly', async () => {
  await serve();
  await serve();
  const init = fresh();
  expect(await countStatuses(400, init)).toEqual({ 200: 150, 429: 250 });
  const refused = await servers[1]?.call(OPEN, init);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3500);
  expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  expect(await refused?.json()).toMatchObject({ code: 112 });
  const response = await servers[0]?.call('/v2/rate_limit', init);
  expect(await response?.json()).toMatchObject([{ name: 'address', used: 150, remaining: 0 }, {}]);
});

it('a request that one limit rejects is not counted by others, also concurrently', async () => {
  const settings = { LIMIT_ANONYMOUS: '100', LIMIT_MOVIE_BASIC: '10' };
  await serve(settings);
  await serve(settings);
  const init = fresh();
  const path = '/v2/probe/tier/public';
  const statuses = await Promise.all(
    Array.from({ length: 90 }, async (_, at) => {
      const response = await (servers[at % 2] as Served).call(path, init);
      return response.status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  const response = await servers[0]?.call(OPEN, init);
  expect(response?.headers.get('x-ratelimit-remaining')).toBe('89');
});

it('a request is uncounted in the window that counted it, not in a later one', async () => {
  const application = { id: 1, limitPerHour: 5 } as CallingApplication;
  const caller = { hasToken: false, scopes: new Set<string>(), application };
  const call = { caller, address: '203.0.113.2', movie: false, premium: false };
  const each: Record<string, string>[] = [{}, { REDIS_URL: '' }];
  for (const settings of each) {
    const limiter = (await serve(settings)).app.get(LimiterService, { strict: false });
    const usedNow = async () =>
      (await limiter.read(call)).counters.find(({ on }) => on === 'caller')?.used;
    await limiter.consume(call);
    const decision = await limiter.consume(call);
    await limiter.refund(call, { ...decision, readAt: decision.readAt - 3_600_000 });
    expect([settings, await usedNow()]).toEqual([settings, 2]);
    await limiter.refund(call, decision);
    expect([settings, await usedNow()]).toEqual([settings, 1]);
  }
});

it('decisions equal those of counters in memory', async () => {
  const inRedis = (await serve()).app.get(LimiterService, { strict: false });
  const alone = (await serve({ REDIS_URL: '' })).app.get(LimiterService, { strict: false });
  const call = {
    caller: { hasToken: false, scopes: new Set<string>() },
    address: '203.0.113.1',
    movie: true,
    premium: false,
  };
  const timeless = ({ reset, ...rest }: { reset: number }): object => ({
    ...rest,
    began: reset > 0,
  });
  const decide = async (limiter: LimiterService): Promise<unknown[]> => {
    const decisions = [await limiter.read(call)];
    for (let at = 0; at < 152; at += 1) decisions.push(await limiter.consume(call));
    decisions.push(await limiter.read(call));
    return decisions.map(({ counters, refusedBy }) => [
      counters.map(timeless),
      refusedBy && timeless(refusedBy),
    ]);
  };
  expect(await decide(inRedis)).toEqual(await decide(alone));
});

it('while Redis is unavailable each server counts on its own, and shares again afterwards', async () => {
  await serve();
  await serve();
  expect(await countsTogether()).toBe(true);
  await redis.kill();
  const init = fresh();
  // Each of the two lets in as many as one would.
  expect(await countStatuses(400, init)).toEqual({ 200: 300, 429: 100 });
  expect(await countsTogether()).toBe(false);
  await redis.start();
  await until(countsTogether);
});

it('no request fails when Redis is killed under load', async () => {
  await serve({ LIMIT_ANONYMOUS: '100000' });
  await serve({ LIMIT_ANONYMOUS: '100000' });
  const calls = countStatuses(1000, fresh());
  await redis.kill();
  expect(await calls).toEqual({ 200: 1000 });
});

it('no request waits for a Redis that does not respond, and it is used again afterwards', async () => {
  await serve();
  await serve();
  expect(await countsTogether()).toBe(true);
  redis.hang();
  const init = fresh();
  expect(await countStatuses(100, init)).toEqual({ 200: 100 });
  expect(await countsTogether()).toBe(false);
  redis.goOn();
  await until(countsTogether);
});

it('a server starts without Redis, and uses it when it becomes available', async () => {
  await redis.kill();
  await serve();
  await serve();
  expect(await countStatuses(4, fresh())).toEqual({ 200: 4 });
  expect(await countsTogether()).toBe(false);
  await redis.start();
  await until(countsTogether);
});

describe('processes that use Redis', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
  });
  afterEach(() => workshop.close());

  it('share the limits, and exit cleanly with and without Redis', async () => {
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, LIMIT_ANONYMOUS: '2' };
    const [one, other] = [await workshop.serve(env), await workshop.serve(env)];
    const status = async (server: Server): Promise<number> =>
      (await server.get('/v2/openapi.json'))[0];
    expect([await status(one), await status(other), await status(one)]).toEqual([200, 200, 429]);
    expect(await one.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
    await redis.kill();
    expect(await other.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('log once that Redis is unavailable, and once that it is back', async () => {
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, LIMIT_ANONYMOUS: '10000' };
    const server = await workshop.serve(env);
    const left = async (): Promise<number> => {
      const response = await fetch(`${server.origin}/v2/openapi.json`);
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    expect(await left()).toBe(9999);
    await redis.kill();
    for (let call = 0; call < 20; call += 1) expect(await left()).toBe(9999 - call);
    await redis.start();
    // This Redis is empty, so that it counts from 1.
    await until(async () => (await left()) === 9999);
    const { stdout } = await server.stop();
    expect(stdout.match(/Redis is unavailable, each process counts/g)).toHaveLength(1);
    expect(stdout.match(/Redis is available again; all processes share/g)).toHaveLength(1);
  });
});
