import { Factories } from '../../factories/factories';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { anApikey, limited, OPEN, pairsOf, countStatuses, together } from './callers';

let harness: Harness;
let make: Factories;
const start = async (settings: Record<string, string>): Promise<void> => {
  harness = await startHarness({
    root: limited,
    settings: { TRUSTED_PROXIES: '1', ...settings },
  });
  make = new Factories(harness.database);
};
afterEach(async () => {
  jest.restoreAllMocks();
  await harness.close();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const codeOf = ({ status, body }: TestResponse): unknown => (status === 200 ? 200 : body.code);

describe('anonymous callers', () => {
  it('have exactly 150 requests an hour per address by default', async () => {
    await start({ LIMIT_ANONYMOUS: '150' });
    const responses = await together(400, () => harness.call(OPEN, { headers: from('192.0.2.1') }));
    expect(countStatuses(responses)).toEqual({ 200: 150, 429: 250 });
    const left = responses.filter(({ status }) => status === 200).map((one) => pairsOf(one)[1]);
    expect(left.sort((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 150 }, (_, at) => at),
    );
    const other = await harness.call(OPEN, { headers: from('192.0.2.2') });
    expect([other.status, pairsOf(other)]).toEqual([200, [150, 149, 150, 149]]);
  });

  it('are rejected with 429, code 112, Retry-After and the name of the limit', async () => {
    await start({ LIMIT_ANONYMOUS: '1' });
    await harness.call(OPEN);
    const { status, body, headers } = await harness.call(OPEN);
    expect(status).toBe(429);
    expect(body).toEqual({ msg: 'rate_limit_exceeded2', code: 112, request: `GET ${OPEN}` });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(headers.get('x-error-detail')).toBe('address: 1 requests per hour (LIMIT_ANONYMOUS)');
  });
});

describe('callers with an apikey', () => {
  it('have a counter per application and address: code 111', async () => {
    await start({ LIMIT_ANONYMOUS: '1', LIMIT_APIKEY: '2' });
    const [one, other] = [await anApikey(harness), await anApikey(harness)];
    const call = (key: string, address: string) =>
      harness.call(`${OPEN}?apikey=${key}`, { headers: from(address) });
    const responses = [
      await call(one, '192.0.2.1'),
      await call(one, '192.0.2.1'),
      await call(one, '192.0.2.1'),
      await call(one, '192.0.2.2'),
      await call(other, '192.0.2.1'),
    ];
    expect(responses.map(codeOf)).toEqual([200, 200, 111, 200, 200]);
    expect(responses.map((response) => pairsOf(response).slice(0, 2))).toEqual([
      [2, 1],
      [2, 0],
      [2, 0],
      [2, 1],
      [2, 1],
    ]);
    expect(responses[2]?.headers.get('x-error-detail')).toMatch(/LIMIT_APIKEY/);
    // The request does not count as anonymous.
    expect((await harness.call(OPEN, { headers: from('192.0.2.1') })).status).toBe(200);
  });
});

describe('an address with several applications (D52)', () => {
  it('shares LIMIT_ADDRESS between all keys and tokens: code 112', async () => {
    await start({ LIMIT_APIKEY: '10', LIMIT_USER_L1: '10', LIMIT_ADDRESS: '4' });
    const keys = [await anApikey(harness), await anApikey(harness), await anApikey(harness)];
    const token = await harness.token();
    const headers = from('192.0.2.1');
    const withKey = (at: number, more = headers) =>
      harness.call(`${OPEN}?apikey=${keys[at]}`, { headers: more });
    const responses = [
      await withKey(0),
      await withKey(1),
      await harness.call(OPEN, { token, headers }),
      await withKey(2),
      await withKey(0),
      await harness.call(OPEN, { token, headers }),
      await withKey(0, from('192.0.2.2')),
    ];
    expect(responses.map(codeOf)).toEqual([200, 200, 200, 200, 112, 112, 200]);
    expect(responses.map(pairsOf)).toEqual([
      [10, 9, 4, 3],
      [10, 9, 4, 2],
      [10, 9, 4, 1],
      [10, 9, 4, 0],
      // Requests that the address limit rejects do not count for the application.
      [10, 9, 4, 0],
      [10, 9, 4, 0],
      [10, 9, 4, 3],
    ]);
    expect(responses[4]?.headers.get('x-error-detail')).toMatch(/LIMIT_ADDRESS/);
    // Requests without authorization are counted apart.
    expect((await harness.call(OPEN, { headers })).status).toBe(200);
  });

  it('has the same limit when it rotates keys concurrently', async () => {
    await start({ LIMIT_APIKEY: '10', LIMIT_ADDRESS: '25' });
    const keys = await Promise.all(Array.from({ length: 8 }, () => anApikey(harness)));
    const responses = await together(80, (at) =>
      harness.call(`${OPEN}?apikey=${keys[at % 8]}`, { headers: from('192.0.2.1') }),
    );
    expect(countStatuses(responses)).toEqual({ 200: 25, 429: 55 });
  });
});

describe('callers with a token', () => {
  it.each([
    ['L1', 2],
    ['L2', 3],
    ['L3', 4],
  ] as const)('of level %s have its limit: %i, code 111', async (level, limit) => {
    await start({ LIMIT_USER_L1: '2', LIMIT_USER_L2: '3', LIMIT_USER_L3: '4' });
    const { id: userId } = await make.aUser();
    const token = await harness.token({ userId, level });
    const responses = await together(10, () => harness.call(OPEN, { token }));
    expect(countStatuses(responses)).toEqual({ 200: limit, 429: 10 - limit });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ msg: 'rate_limit_exceeded1', code: 111 });
    expect(refused?.headers.get('x-error-detail')).toMatch(new RegExp(`^user: .*_${level}`));
  });

  it('are counted by user and application, from any address', async () => {
    await start({ LIMIT_USER_L1: '1' });
    const { id: userId } = await make.aUser();
    const [one, other] = [await harness.token({ userId }), await harness.token({ userId })];
    const responses = [
      await harness.call(OPEN, { token: one, headers: from('192.0.2.1') }),
      await harness.call(OPEN, { token: one, headers: from('192.0.2.2') }),
      await harness.call(OPEN, { token: other, headers: from('192.0.2.1') }),
    ];
    expect(responses.map(codeOf)).toEqual([200, 111, 200]);
  });

  it('without a user are counted by application', async () => {
    await start({ LIMIT_USER_L1: '1' });
    const [one, other] = [await harness.token(), await harness.token()];
    const responses = [
      await harness.call(OPEN, { token: one }),
      await harness.call(OPEN, { token: one }),
      await harness.call(OPEN, { token: other }),
    ];
    expect(responses.map(codeOf)).toEqual([200, 111, 200]);
    expect(responses[1]?.headers.get('x-error-detail')).toMatch(/^application: /);
  });

  it('share the limit of their address: code 112', async () => {
    await start({ LIMIT_USER_L1: '10', LIMIT_ADDRESS: '3', LIMIT_ANONYMOUS: '1' });
    const tokens = [await harness.token(), await harness.token()];
    const call = (token: string | undefined, address: string) =>
      harness.call(OPEN, { token, headers: from(address) });
    const responses = [
      await call(tokens[0], '192.0.2.1'),
      await call(tokens[1], '192.0.2.1'),
      await call(tokens[1], '192.0.2.1'),
      await call(tokens[0], '192.0.2.1'),
      await call(tokens[0], '192.0.2.2'),
    ];
    expect(responses.map(codeOf)).toEqual([200, 200, 200, 112, 200]);
    expect(responses.map(pairsOf)).toEqual([
      [10, 9, 3, 2],
      [10, 9, 3, 1],
      [10, 8, 3, 0],
      // Requests that the address limit rejects do not count for the user.
      [10, 9, 3, 0],
      [10, 8, 3, 2],
    ]);
    expect(responses[3]?.headers.get('x-error-detail')).toMatch(/LIMIT_ADDRESS/);
    // Calls with tokens and without are counted apart.
    expect((await call(undefined, '192.0.2.1')).status).toBe(200);
  });

  it('are not charged for requests that another limit rejects, also concurrently', async () => {
    // All of them wait for a connection at once, to look up their tokens.
    await start({ LIMIT_USER_L1: '100', LIMIT_ADDRESS: '150', DATABASE_QUEUE: '1000' });
    const tokens = [await harness.token(), await harness.token()];
    const responses = await together(400, (at) =>
      harness.call(OPEN, { token: tokens[at % 2], headers: from('192.0.2.1') }),
    );
    expect(countStatuses(responses)).toEqual({ 200: 150, 429: 250 });
    const passed = [0, 1].map(
      (user) => responses.filter(({ status }, at) => status === 200 && at % 2 === user).length,
    );
    for (const [user, token] of tokens.entries()) {
      const { headers } = await harness.call('/v2/rate_limit', { token });
      expect(Number(headers.get('x-ratelimit-remaining'))).toBe(100 - (passed[user] ?? 0));
    }
  });
});

describe('Retry-After', () => {
  it('is the remaining time of the window in whole seconds, rounded up', async () => {
    await start({ LIMIT_ANONYMOUS: '1' });
    const began = Math.ceil(performance.now());
    const now = jest.spyOn(performance, 'now');
    const at = async (ms: number): Promise<TestResponse> => {
      now.mockReturnValue(began + ms);
      return harness.call(OPEN);
    };
    expect((await at(0)).status).toBe(200);
    for (const [ms, seconds] of [
      [0, 3600],
      [1, 3600],
      [999, 3600],
      [1000, 3599],
      [3_599_000, 1],
      [3_599_999, 1],
    ] as const) {
      const { status, headers } = await at(ms);
      expect([ms, status, headers.get('retry-after')]).toEqual([ms, 429, String(seconds)]);
    }
    expect((await at(3_600_000)).status).toBe(200);
  });

  it('is that of the last of several exceeded limits', async () => {
    await start({ LIMIT_ANONYMOUS: '1', LIMIT_MOVIE_BASIC: '1' });
    const path = '/v2/probe/tier/public';
    expect((await harness.call(path)).status).toBe(200);
    const { status, headers } = await harness.call(path);
    expect([status, headers.get('x-error-detail')]).toEqual([
      429,
      expect.stringContaining('LIMIT_ANONYMOUS'),
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});

it('0 means no limit', async () => {
  await start({});
  const responses = await together(50, () => harness.call(OPEN));
  expect(countStatuses(responses)).toEqual({ 200: 50 });
});
