import { Redis } from 'ioredis';
import { MemoryCounters, RefusingCounters, type Counted } from '../../src/limits/counters';
import { RedisCounters } from '../../src/limits/redis-counters';
import { until } from '../e2e/process/programs';
import { RedisServer } from './redis-server';

/** Counters of processes: each process counts on its own while Redis is unavailable. */
let processes: RedisCounters[];
let alone: MemoryCounters[];
let server: RedisServer;
/** A client of the test's own. */
let redis: Redis;

beforeEach(async () => {
  server = await RedisServer.open();
  redis = new Redis(server.url);
  redis.on('error', () => undefined);
  processes = [];
  alone = [];
  for (let at = 0; at < 3; at += 1) await start();
});

afterEach(async () => {
  for (const counters of processes) counters.close();
  redis.disconnect();
  await server.close();
});

async function start(): Promise<RedisCounters> {
  const memory = new MemoryCounters(1000);
  const counters = new RedisCounters(server.url, memory);
  await counters.open();
  processes.push(counters);
  alone.push(memory);
  return counters;
}

let next = 0;
const fresh = (limit = 150): Counted => {
  next += 1;
  return { key: `key ${next}`, limit, window: 3600 };
};

/** Requests to processes in turn, all at once. @returns how many were granted */
async function burst(requests: number, ...counters: Counted[]): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: requests }, (_, at) =>
      (processes[at % processes.length] as RedisCounters).consume(counters),
    ),
  );
  return taken.filter(({ granted }) => granted).length;
}

/** Counts in Redis. */
const inRedis = async ({ key }: Counted): Promise<number> =>
  Number((await redis.hget(`commonplace:counter:${key}`, 'n')) ?? 0);

/** Counts of the processes without Redis. */
const without = (): number => alone.reduce((sum, { size }) => sum + size, 0);

/** Whether what one process counts is seen by all. */
async function countTogether(): Promise<boolean> {
  const counter = fresh();
  for (const counters of processes) await counters.consume([counter]);
  return (await inRedis(counter)) === processes.length;
}

/** Keeps the event loop from turning, as a process that has too much to do. */
function stall(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('an event loop that stalls', () => {
  it.each([1, 2, 3])(
    'blocked for a second after the requests: exactly the limit (%i)',
    async () => {
      const counter = fresh();
      const granted = burst(400, counter);
      stall(1200);
      expect(await granted).toBe(150);
      expect([await inRedis(counter), without()]).toEqual([150, 0]);
    },
  );

  it('blocked repeatedly during requests: exactly the limit', async () => {
    const counter = fresh();
    const bursts: Promise<number>[] = [];
    for (let time = 0; time < 20; time += 1) {
      bursts.push(burst(20, counter));
      stall(120);
      await new Promise(setImmediate);
    }
    const granted = await Promise.all(bursts);
    expect(granted.reduce((sum, one) => sum + one)).toBe(150);
    expect([await inRedis(counter), without()]).toEqual([150, 0]);
  });
});

describe('a connection that is lost', () => {
  it('with pending requests: each is counted once, in Redis', async () => {
    const [counter, other] = [fresh(10_000), fresh(10_000)];
    for (let time = 0; time < 20; time += 1) {
      const granted = burst(60, counter, other);
      // Some of them are done by then, some are not; nobody has read the replies.
      await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      expect(await granted).toBe(60);
    }
    expect([await inRedis(counter), await inRedis(other), without()]).toEqual([1200, 1200, 0]);
  });

  it('is exact at the limit, too', async () => {
    const counter = fresh();
    const granted = burst(400, counter);
    await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    expect(await granted).toBe(150);
    expect([await inRedis(counter), without()]).toEqual([150, 0]);
  });
});

it('requests sent to a Redis that does not respond are counted by the process, and not later by Redis', async () => {
  const counter = fresh();
  server.hang();
  // Each process lets in as many as one would.
  expect(await burst(600, counter)).toBe(450);
  server.goOn();
  await until(countTogether);
  expect(await inRedis(counter)).toBe(0);
});

describe('a Redis that rejects commands', () => {
  const faults: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
    [
      'READONLY: it became a replica',
      () => redis.replicaof('127.0.0.1', '1'),
      () => redis.replicaof('NO', 'ONE'),
    ],
    [
      'MASTERDOWN: it is a replica without its master',
      async () => {
        await redis.config('SET', 'replica-serve-stale-data', 'no');
        await redis.replicaof('127.0.0.1', '1');
      },
      () => redis.replicaof('NO', 'ONE'),
    ],
    [
      'OOM: it has no memory left',
      () => redis.config('SET', 'maxmemory', '1'),
      () => redis.config('SET', 'maxmemory', '0'),
    ],
    [
      'NOREPLICAS: it has too few replicas',
      () => redis.config('SET', 'min-replicas-to-write', '1'),
      () => redis.config('SET', 'min-replicas-to-write', '0'),
    ],
    [
      'NOAUTH: it asks for a password',
      async () => {
        await redis.config('SET', 'requirepass', 'secret');
        // A connection that has passed without one goes on.
        await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      },
      () => redis.config('SET', 'requirepass', ''),
    ],
    [
      'LOADING: it reads its data',
      async () => {
        await redis.debug('POPULATE', '1000');
        await redis.config('SET', 'loading-process-events-interval-bytes', '1024');
        await redis.config('SET', 'key-load-delay', '3000');
        // Responds when it has loaded.
        const other = redis.duplicate();
        void failureOf(other.debug('RELOAD')).finally(() => other.disconnect());
        await until(async () => /^LOADING/.test(await failureOf(redis.get('key'))));
      },
      async () => {
        await redis.config('SET', 'key-load-delay', '0');
        await until(async () => (await failureOf(redis.get('key'))) === '');
      },
    ],
  ];

  it.each(faults)('%s', async (_name, begin, end) => {
    await begin();
    const counter = fresh();
    expect(await burst(600, counter)).toBe(450);
    expect(without()).toBe(3);
    await end();
    await until(countTogether);
  });
});

/** The message of a failure; empty when there is none. */
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => error.message,
  );

it('a Redis that restarts with its data keeps the counters', async () => {
  const counter = fresh();
  expect(await burst(100, counter)).toBe(100);
  await server.restart();
  await until(countTogether);
  expect(await burst(100, counter)).toBe(50);
});

it('only counted requests are refunded, and no counter remains at 0', async () => {
  const [counter, other] = [fresh(2), fresh(2)];
  await burst(1, counter, other);
  await burst(1, other);
  await processes[0]?.refund([counter, other]);
  await processes[1]?.refund([counter]);
  expect([await inRedis(counter), await inRedis(other)]).toEqual([0, 1]);
  expect(await redis.exists(`commonplace:counter:${counter.key}`)).toBe(0);
});

it('a request of an earlier window is not refunded to the current one', async () => {
  const counter = fresh(5);
  await burst(3, counter);
  const { window } = counter;
  await processes[0]?.refund([{ ...counter, left: window * 1000 - 60_000 }]);
  expect(await inRedis(counter)).toBe(3);
  await processes[0]?.refund([{ ...counter, left: window * 1000 }]);
  expect(await inRedis(counter)).toBe(2);
});

it('rejects requests without Redis when LIMITS_WITHOUT_REDIS=refuse', async () => {
  const counters = new RedisCounters(server.url, new RefusingCounters());
  processes.push(counters);
  await counters.open();
  expect(await counters.consume([fresh()])).toMatchObject({ granted: true });
  await server.kill();
  await until(async () => (await failureOf(counters.consume([fresh()]))) !== '');
  await expect(counters.consume([fresh()])).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  await counters.refund([fresh()]);
  await counters.clear([fresh()]);
  await server.start();
  await until(async () => (await failureOf(counters.consume([fresh()]))) === '');
});
