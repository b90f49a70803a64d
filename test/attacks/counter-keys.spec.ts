import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LimiterService } from '../../src/limits/limiter.service';
import { SharedCounters } from '../../src/limits/shared-counters';
import { Attempts } from '../../src/oauth/attempts';
import { limited } from '../e2e/limits/callers';
import { Browser } from '../e2e/oauth/browser';
import { atScale, figure } from '../figures';
import { startHarness, type TestResponse, type Harness } from '../harness';
import { Target } from './target';

/** Requests and sign-in attempts, each of an address and a name that nobody else has. */
const KEYS = atScale(100_000, 3000);
/** Counters that the server keeps at most: its default at full scale. */
const CAPACITY = atScale(100_000, 1000);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MB that this process holds when there is no garbage. */
function heapInUse(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** A unique IPv6 address. The owner of a /32 has four thousand million /64 networks. */
const addressOf = (at: number): string =>
  `2001:db8:${Math.floor(at / 65536).toString(16)}:${(at % 65536).toString(16)}::1`;

describe('unique keys and addresses', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({
      root: limited,
      settings: {
        COUNTERS_IN_MEMORY: String(CAPACITY),
        LIMIT_ANONYMOUS: '150',
        LIMIT_MOVIE_BASIC: '40',
      },
    });
  });
  afterAll(() => harness.close());

  it('use a bounded number of counters and bounded memory', async () => {
    const [limiter, attempts, counters] = [
      harness.app.get(LimiterService, { strict: false }),
      harness.app.get(Attempts, { strict: false }),
      harness.app.get(SharedCounters, { strict: false }),
    ];
    const caller = { hasToken: false, scopes: new Set<string>() };
    const request = (address: string) =>
      limiter.consume({ caller, address, movie: true, premium: false });
    await request(addressOf(2 ** 20));
    const before = heapInUse();
    for (let at = 0; at < KEYS; at += 1) {
      const address = addressOf(at);
      await request(address);
      // Names as long as a body has room for, now and then.
      const uid = `${at}`.padEnd(at % 100 === 0 ? 60_000 : 20, 'u');
      await attempts.consume(
        ['password', `${uid} ${address}`],
        ['user', uid],
        ['address', address],
      );
    }
    figure(`MB more after ${KEYS} unique keys and addresses`, heapInUse() - before, { atMost: 30 });
    expect(counters.inMemory).toBe(CAPACITY);
  });

  it('do not reset counters with high usage', async () => {
    const attempts = harness.app.get(Attempts, { strict: false });
    const guess = ['user', 'somebody'] as const;
    for (let time = 0; time < 100; time += 1) await attempts.consume(guess);
    for (let at = 0; at < KEYS; at += 1) {
      await attempts.consume(['user', `other ${at}`], ['address', addressOf(at)]);
    }
    await expect(attempts.consume(guess)).rejects.toMatchObject({ status: 429 });
  });
});

describe('over HTTP', () => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.start({ TRUSTED_PROXIES: '1', LIMIT_ANONYMOUS: '150' });
  });
  afterAll(() => target.close());

  /** How often each status came, of requests of which `wide` are sent at once. */
  async function countStatuses(
    requests: number,
    wide: number,
    send: (at: number) => Promise<TestResponse>,
  ): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < requests) {
        next += 1;
        const { status } = await send(next);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: wide }, lane));
    return counts;
  }

  it('sign-in attempts with long names do not increase memory', async () => {
    const attempts = atScale(500, 12);
    const browser = new Browser(target);
    const form_token = await browser.formToken();
    const counts = await target.attack('sign-in attempts with names of 60 KB', () =>
      countStatuses(attempts, 4, (at) =>
        browser.post(
          '/service/sign-in',
          { form_token, uid: `${at}`.padEnd(60_000, 'u'), password: 'wrong' },
          { 'x-forwarded-for': addressOf(at) },
        ),
      ),
    );
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(attempts);
    expect(Object.keys(counts).filter((status) => Number(status) >= 500)).toEqual([]);
  });

  it('requests from many addresses hardly increase memory', async () => {
    const requests = atScale(100_000, 300);
    const counts = await target.attack('requests from unique addresses', () =>
      countStatuses(requests, 8, (at) =>
        target.call('/v2/nowhere', { headers: { 'x-forwarded-for': addressOf(at) } }),
      ),
    );
    expect(counts).toEqual({ 404: requests });
  });
});
