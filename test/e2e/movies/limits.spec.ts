import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { tokensOf } from './callers';

let harness: Harness;
let tokens: Record<string, string | undefined>;
let id: number;
beforeAll(async () => {
  harness = await startHarness({
    settings: { LIMIT_MOVIE_BASIC: '2', LIMIT_ANONYMOUS: '100', LIMIT_USER_L1: '4' },
  });
  tokens = await tokensOf(harness);
  id = await new MovieFactories(harness.database).aSubject();
});
afterAll(() => harness.close());

// Requests a minute without a token and in the basic tier; advance: the hour of its application;
// premium: no limit (D16).
it.each([
  ['nobody', [200, 200, 429, 429, 429]],
  ['basic', [200, 200, 429, 429, 429]],
  ['advance', [200, 200, 200, 200, 429]],
  ['premium', [200, 200, 200, 200, 200]],
  ['advance and premium', [200, 200, 200, 200, 200]],
] as const)('successive requests of %s get the statuses %j', async (caller, expected) => {
  const seen: number[] = [];
  for (const _ of expected) {
    const path = `/v2/movie/subject/${id}`;
    seen.push((await harness.call(path, { token: tokens[caller] })).status);
  }
  expect(seen).toEqual(expected);
});
