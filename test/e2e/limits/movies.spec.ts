import { Factories } from '../../factories/factories';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import {
  anApikey,
  itemsOf,
  limited,
  NO_LIMIT,
  OPEN,
  pairsOf,
  countStatuses,
  together,
} from './callers';

const PUBLIC = '/v2/probe/tier/public';
let harness: Harness;
let make: Factories;
beforeEach(async () => {
  harness = await startHarness({
    root: limited,
    settings: {
      TRUSTED_PROXIES: '1',
      LIMIT_ANONYMOUS: '100',
      LIMIT_APIKEY: '100',
      LIMIT_USER_L1: '100',
      LIMIT_ADDRESS: '100',
      LIMIT_MOVIE_BASIC: '2',
    },
  });
  make = new Factories(harness.database);
});
afterEach(() => harness.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const codeOf = ({ status, body }: TestResponse): unknown => (status === 200 ? 200 : body.code);

describe('the basic tier has a limit per minute', () => {
  it('for an address, without a caller: code 112', async () => {
    const call = (address: string) => harness.call(PUBLIC, { headers: from(address) });
    const responses = [
      await call('192.0.2.1'),
      await call('192.0.2.1'),
      await call('192.0.2.1'),
      await call('192.0.2.2'),
    ];
    expect(responses.map(codeOf)).toEqual([200, 200, 112, 200]);
    const refused = responses[2] as TestResponse;
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('x-error-detail')).toBe(
      'movie: 2 requests per minute (LIMIT_MOVIE_BASIC)',
    );
    expect(itemsOf(refused.headers.get('ratelimit-policy'))).toEqual({
      address: { q: 100, w: 3600 },
      movie: { q: 2, w: 60 },
    });
    // The hour, which would have let it in, is not charged; nor is the minute by other calls.
    expect(pairsOf(refused)).toEqual([100, 98, 100, 98]);
    expect((await harness.call(OPEN, { headers: from('192.0.2.1') })).status).toBe(200);
  });

  it('for an application and address, with an apikey: code 111', async () => {
    const [one, other] = [await anApikey(harness), await anApikey(harness)];
    const call = (key: string, address: string) =>
      harness.call(`${PUBLIC}?apikey=${key}`, { headers: from(address) });
    const responses = [
      await call(one, '192.0.2.1'),
      await call(one, '192.0.2.1'),
      await call(one, '192.0.2.1'),
      await call(one, '192.0.2.2'),
      await call(other, '192.0.2.1'),
    ];
    expect(responses.map(codeOf)).toEqual([200, 200, 111, 200, 200]);
  });

  it('for a user and application, with a token: code 111', async () => {
    const { id: userId } = await make.aUser();
    const token = await harness.token({ userId, scopes: ['movie_basic_r'] });
    const other = await harness.token({ userId, scopes: ['movie_basic_r'] });
    const responses = [
      await harness.call(PUBLIC, { token, headers: from('192.0.2.1') }),
      await harness.call(PUBLIC, { token, headers: from('192.0.2.2') }),
      await harness.call(PUBLIC, { token, headers: from('192.0.2.3') }),
      await harness.call(PUBLIC, { token: other, headers: from('192.0.2.1') }),
    ];
    expect(responses.map(codeOf)).toEqual([200, 200, 111, 200]);
  });

  it('that is exact for concurrent requests', async () => {
    expect(countStatuses(await together(40, () => harness.call(PUBLIC)))).toEqual({
      200: 2,
      429: 38,
    });
  });
});

it('the advance tier has no limit per minute', async () => {
  const token = await harness.token({ scopes: ['movie_advance_r'] });
  const responses = await together(20, () => harness.call(PUBLIC, { token }));
  expect(countStatuses(responses)).toEqual({ 200: 20 });
});

describe('the premium tier', () => {
  it('has no limit', async () => {
    const token = await harness.token({ scopes: ['movie_premium_r'] });
    for (const path of [PUBLIC, '/v2/probe/tier/premium']) {
      const responses = await together(120, () => harness.call(path, { token }));
      expect(countStatuses(responses)).toEqual({ 200: 120 });
      expect(pairsOf(responses[0] as TestResponse)).toEqual(Array(4).fill(Number(NO_LIMIT)));
      expect(responses[0]?.headers.get('ratelimit')).toBeNull();
    }
    // Other calls of the same caller have theirs, untouched.
    expect(pairsOf(await harness.call(OPEN, { token }))).toEqual([100, 99, 100, 99]);
  });

  it('does not apply where the caller is in the basic tier', async () => {
    const token = await harness.token({ scopes: ['movie_basic_r', 'movie_premium_r'] });
    const responses = await together(5, () => harness.call('/v2/probe/tier/no_premium', { token }));
    expect(countStatuses(responses)).toEqual({ 200: 2, 429: 3 });
  });
});
