import { setTimeout as pause } from 'node:timers/promises';
import { type Server, Workshop } from '../../e2e/process/programs';
import { Browser } from '../../e2e/oauth/browser';
import { Factories } from '../../factories/factories';
import { atScale, figure } from '../../figures';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { callAt, type Call } from '../../http';
import { RedisServer } from '../../redis/redis-server';
import { eventually } from '../processes';

const ROUNDS = atScale(20, 3);
const REQUESTS = 400;
const LIMIT = 150;
/** Milliseconds that the event loop of a process stands still. */
const STALL_MS = 1000;

let database: TestDatabase;
let redis: RedisServer;
let workshop: Workshop;
let servers: Server[];
let calls: Call[];
beforeAll(async () => {
  database = await openTestDatabase();
  redis = await RedisServer.open();
  workshop = await Workshop.open();
  await new Factories(database.database).books(100, (at) => ({ title: `Loaded shelf ${at}` }));
  servers = [];
  for (let at = 0; at < 3; at += 1) {
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, TRUSTED_PROXIES: '1' };
    servers.push(await workshop.serve({ ...env, LIMIT_ANONYMOUS: String(LIMIT) }));
  }
  calls = servers.map(({ origin }) => callAt(origin));
});
afterAll(async () => {
  await workshop.close();
  await redis.close();
  await database.close();
});

let next = 0;
/** Headers of an address that nobody has called from. */
function fresh(): { headers: Record<string, string> } {
  next += 1;
  const [high, low] = [Math.floor(next / 65536), next % 65536];
  return { headers: { 'x-forwarded-for': `2001:db8:${high.toString(16)}:${low.toString(16)}::1` } };
}

/**
 * Number of responses by status, for concurrent requests of an address to the processes in turn.
 */
async function burst(): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const init = fresh();
  const send = async (at: number): Promise<void> => {
    const { status } = await (calls[at % calls.length] as Call)('/v2/openapi.json', init);
    counts[status] = (counts[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: REQUESTS }, (_, at) => send(at)));
  return counts;
}

/** Rounds that let in another number of requests than the limit. */
async function inexact(round: (at: number) => Promise<Record<number, number>>): Promise<string[]> {
  const wrong: string[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const counts = await round(at);
    const exact = counts[200] === LIMIT && counts[429] === REQUESTS - LIMIT;
    if (!exact) wrong.push(`round ${at}: ${JSON.stringify(counts)}`);
  }
  return wrong;
}

/** Lists of 100 books, without a pause, while `work` runs. */
async function loaded<T>(work: () => Promise<T>): Promise<T> {
  let running = true;
  const statuses = new Set<number>();
  const client = async (call: Call): Promise<void> => {
    while (running) {
      statuses.add((await call('/v2/book/search?q=shelf&count=100', fresh())).status);
    }
  };
  const clients = calls.flatMap((call) => [client(call), client(call), client(call)]);
  const result = await work();
  running = false;
  await Promise.all(clients);
  expect(statuses).toContain(200);
  // A list that waits too long for a connection to the database is refused.
  statuses.delete(503);
  expect([...statuses]).toEqual([200]);
  return result;
}

/** A burst while a process stands still: as one does that collects garbage, or computes. */
async function stalled(at: number): Promise<Record<number, number>> {
  const { child } = (servers[at % servers.length] as Server).program;
  const counts = burst();
  // Some of its requests have been sent to Redis by then, of others it has not heard.
  await pause((at % 5) * 10);
  child.kill('SIGSTOP');
  await pause(STALL_MS);
  child.kill('SIGCONT');
  return counts;
}

const LETS_IN = `${LIMIT} of ${REQUESTS} parallel requests pass, in each of ${ROUNDS} rounds`;

it.each([
  ['when there is nothing else to do', () => inexact(burst)],
  ['beside lists of 100 books', () => loaded(() => inexact(burst))],
  ['when a process stands still for a second', () => inexact(stalled)],
  ['when one stands still, beside lists of 100 books', () => loaded(() => inexact(stalled))],
])(`${LETS_IN}: %s`, async (name, rounds) => {
  const wrong = await rounds();
  figure(`rounds with another number than ${LIMIT}, ${name}`, wrong.length, { atMost: 0 });
  expect(wrong).toEqual([]);
  for (const { program } of servers) expect(program.stdout).not.toContain('Redis is unavailable');
});

describe('LIMITS_WITHOUT_REDIS=refuse', () => {
  it('returns 503 while Redis is unavailable, never 500, and recovers', async () => {
    const other = await RedisServer.open();
    let running = true;
    try {
      const server = await workshop.serve({
        ...{ DATABASE_URL: database.url, REDIS_URL: other.url, LIMITS_WITHOUT_REDIS: 'refuse' },
        LIMIT_ANONYMOUS: '100000',
      });
      const call = callAt(server.origin);
      const seen = new Set<number>();
      const client = async (): Promise<void> => {
        while (running) seen.add((await call('/v2/openapi.json')).status);
      };
      const clients = Array.from({ length: 8 }, client);
      const statusIs = (status: number): Promise<void> =>
        eventually(
          `requests have ${status}`,
          async () => (await call('/v2/nowhere')).status === status,
        );
      const browser = new Browser({ call });
      const form_token = await browser.formToken();
      for (const [away, back] of [
        [() => other.kill(), () => other.start()],
        [() => Promise.resolve(other.hang()), () => Promise.resolve(other.goOn())],
      ] as const) {
        await statusIs(404);
        await away();
        await statusIs(503);
        const refused = await call('/v2/openapi.json');
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
        expect(refused.body).toMatchObject({ code: 999 });
        const guess = { form_token, uid: 'somebody', password: 'wrong' };
        expect((await browser.post('/service/sign-in', guess)).status).toBe(503);
        // Requests without a limit are served.
        expect((await call('/v2/rate_limit')).status).toBe(200);
        expect((await call('/healthz')).status).toBe(200);
        await back();
        await statusIs(404);
      }
      running = false;
      await Promise.all(clients);
      expect([...seen].sort()).toEqual([200, 503]);
    } finally {
      running = false;
      await other.close();
    }
  });
});
