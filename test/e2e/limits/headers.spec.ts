import { startHarness, type CallOptions, type Harness } from '../../harness';
import { anApikey, itemsOf, limited, NO_LIMIT, OPEN, pairsOf } from './callers';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    root: limited,
    settings: {
      TRUSTED_PROXIES: '1',
      LIMIT_ANONYMOUS: '10',
      LIMIT_APIKEY: '20',
      LIMIT_USER_L1: '30',
      LIMIT_ADDRESS: '40',
      LIMIT_MOVIE_BASIC: '5',
    },
  });
});
afterAll(() => harness.close());

let next = 0;
/** An address that nobody has called from. */
const fresh = (): Record<string, string> => {
  next += 1;
  return { 'x-forwarded-for': `198.51.100.${next}` };
};

describe('every response below /v2 has the headers of limits, and counts', () => {
  const cases: readonly (readonly [string, number, string, CallOptions])[] = [
    ['a response', 200, OPEN, {}],
    ['JSONP', 200, `${OPEN}?callback=f`, {}],
    ['HEAD', 200, OPEN, { method: 'HEAD' }],
    ['a parameter that is malformed', 400, `${OPEN}?callback=f.g`, {}],
    ['an apikey given twice', 400, `${OPEN}?apikey=a&apikey=b`, {}],
    ['a wrong method', 400, '/v2/probe/common', { method: 'PUT' }],
    ['a wrong token', 401, OPEN, { token: 'wrong' }],
    ['a wrong apikey', 401, `${OPEN}?apikey=wrong`, {}],
    ['a token that lacks', 403, '/v2/probe/common', {}],
    ['a tier that lacks', 403, '/v2/probe/tier/premium', {}],
    ['an unknown path', 404, '/v2/nowhere', {}],
    ['the root of it', 404, '/v2', {}],
    ['a path that cannot be decoded', 404, '/v2/probe/%ff', {}],
    ['an unknown path as JSONP', 404, '/v2/nowhere?callback=f', {}],
    ['an unknown path with a wrong token', 404, '/v2/nowhere', { token: 'wrong' }],
  ];

  it.each(cases)('%s: %i', async (_name, status, path, options) => {
    const headers = fresh();
    const first = await harness.call(path, { ...options, headers: { ...headers } });
    expect(first.status).toBe(status);
    expect(pairsOf(first)).toEqual([10, 9, 10, 9]);
    expect(itemsOf(first.headers.get('ratelimit-policy'))).toEqual({
      address: { q: 10, w: 3600 },
    });
    expect(itemsOf(first.headers.get('ratelimit'))).toEqual({
      address: { r: 9, t: expect.any(Number) },
    });
    const again = await harness.call(path, { ...options, headers: { ...headers } });
    expect(pairsOf(again)).toEqual([10, 8, 10, 8]);
  });

  it.each(cases)('%s is 429 beyond the limit', async (_name, _status, path, options) => {
    const headers = fresh();
    for (let call = 0; call < 10; call += 1) await harness.call(OPEN, { headers });
    const refused = await harness.call(path, { ...options, headers: { ...headers } });
    expect([refused.status, pairsOf(refused)]).toEqual([429, [10, 0, 10, 0]]);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    if (path.includes('callback=f') && !path.includes('f.g')) {
      expect(refused.text).toMatch(/^f\(\{"msg":"rate_limit_exceeded2","code":112,.*\}\);$/);
    }
  });
});

describe('the headers show', () => {
  it('for a token its counter and that of its address, for any route', async () => {
    const token = await harness.token();
    const headers = fresh();
    const paths = [OPEN, '/v2/nowhere', '/v2/probe/note', '/v2/probe/%ff', `${OPEN}?callback=.`];
    for (const [at, path] of paths.entries()) {
      const response = await harness.call(path, { token, headers });
      expect([path, pairsOf(response)]).toEqual([path, [30, 29 - at, 40, 39 - at]]);
      expect(itemsOf(response.headers.get('ratelimit-policy'))).toEqual({
        application: { q: 30, w: 3600 },
        address: { q: 40, w: 3600 },
      });
    }
  });

  it('for an apikey its counter and that of its address, also for unknown paths', async () => {
    const apikey = await anApikey(harness);
    const headers = fresh();
    for (const [at, path] of [OPEN, '/v2/nowhere'].entries()) {
      const response = await harness.call(`${path}?apikey=${apikey}`, { headers });
      expect(pairsOf(response)).toEqual([20, 19 - at, 40, 39 - at]);
    }
  });
});

describe('requests that do not count', () => {
  it('OPTIONS shows the limits and does not count', async () => {
    const headers = fresh();
    const preflight = { ...headers, origin: 'https://a.example' };
    for (let call = 0; call < 12; call += 1) {
      const response = await harness.call(OPEN, { method: 'OPTIONS', headers: preflight });
      expect([response.status, pairsOf(response)]).toEqual([204, [10, 10, 10, 10]]);
    }
    expect(pairsOf(await harness.call(OPEN, { headers }))).toEqual([10, 9, 10, 9]);
  });

  it('OPTIONS shows the limits of the address, and checks no token and no apikey', async () => {
    const statements: string[] = [];
    harness.database.onStatement = (name) => statements.push(name);
    const options = { method: 'OPTIONS', token: 'unknown', headers: fresh() };
    for (const path of [OPEN, '/v2/nowhere', `${OPEN}?apikey=unknown`, '/v2/%zz']) {
      const response = await harness.call(path, options);
      expect(pairsOf(response)).toEqual([10, 10, 10, 10]);
    }
    harness.database.onStatement = undefined;
    expect(statements).toEqual([]);
  });

  it('GET /v2/rate_limit shows the limits and does not count, also when nothing is left', async () => {
    const headers = fresh();
    for (let call = 0; call < 11; call += 1) await harness.call(OPEN, { headers });
    for (const method of ['GET', 'HEAD']) {
      const response = await harness.call('/v2/rate_limit', { method, headers });
      expect([response.status, pairsOf(response)]).toEqual([200, [10, 0, 10, 0]]);
    }
    const wrong = await harness.call('/v2/rate_limit', { method: 'POST', headers });
    expect(wrong.status).toBe(429);
  });
});

describe('GET /v2/rate_limit', () => {
  const ask = async (options: CallOptions, query = '') =>
    (await harness.call(`/v2/rate_limit${query}`, options)).body;
  const hour = { window: 3600, reset: 3600 };
  const minute = { name: 'movie', limit: 5, used: 0, remaining: 5, window: 60, reset: 60 };

  it('returns the counter of the address to an anonymous caller', async () => {
    const headers = fresh();
    const address = { name: 'address', limit: 10, used: 0, remaining: 10, ...hour };
    expect(await ask({ headers })).toEqual([address, minute]);
    await harness.call('/v2/probe/tier/public', { headers });
    const [hourly, movie] = await ask({ headers });
    expect(hourly).toMatchObject({ name: 'address', used: 1, remaining: 9 });
    expect(movie).toMatchObject({ name: 'movie', used: 1, remaining: 4 });
    expect(movie.reset).toBeGreaterThan(0);
  });

  it('returns the counters of its key to an application, also exceeded ones', async () => {
    const headers = fresh();
    const query = `?apikey=${await anApikey(harness)}`;
    for (let call = 0; call < 25; call += 1) await harness.call(OPEN + query, { headers });
    expect(await ask({ headers }, query)).toMatchObject([
      { name: 'application', limit: 20, used: 20, remaining: 0 },
      { name: 'address', limit: 40, used: 20, remaining: 20 },
      minute,
    ]);
  });

  it('returns the counters of a token and of its address', async () => {
    const headers = fresh();
    const token = await harness.token({ scopes: ['book_basic_r'] });
    await harness.call(OPEN, { token, headers });
    expect(await ask({ token, headers })).toMatchObject([
      { name: 'application', limit: 30, used: 1, remaining: 29 },
      { name: 'address', limit: 40, used: 1, remaining: 39 },
    ]);
  });

  it('rejects an invalid token without counting it', async () => {
    const headers = fresh();
    const response = await harness.call('/v2/rate_limit', { token: 'wrong', headers });
    expect([response.status, pairsOf(response)]).toEqual([401, [10, 10, 10, 10]]);
  });
});

describe('without limits', () => {
  it('the headers have numbers, and no policy', async () => {
    const free = await startHarness({ root: limited });
    try {
      for (const path of [OPEN, '/v2/nowhere', '/v2/rate_limit']) {
        const response = await free.call(path);
        expect(pairsOf(response)).toEqual(Array(4).fill(Number(NO_LIMIT)));
        expect(response.headers.get('ratelimit')).toBeNull();
        expect(response.headers.get('ratelimit-policy')).toBeNull();
      }
      const none = { limit: null, used: 0, remaining: null };
      expect((await free.call('/v2/rate_limit')).body).toEqual([
        { name: 'address', ...none, window: 3600, reset: 3600 },
        { name: 'movie', ...none, window: 60, reset: 60 },
      ]);
    } finally {
      await free.close();
    }
  });
});

it('responses outside of /v2 neither have limits nor count', async () => {
  const limitedHarness = await startHarness({ settings: { LIMIT_ANONYMOUS: '1' } });
  try {
    for (const path of ['/', '/healthz', '/nowhere', '/docs']) {
      const response = await limitedHarness.call(path);
      expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    }
    expect(pairsOf(await limitedHarness.call('/v2/openapi.json'))).toEqual([1, 0, 1, 0]);
    expect((await limitedHarness.call('/v2/openapi.json')).status).toBe(429);
  } finally {
    await limitedHarness.close();
  }
});
