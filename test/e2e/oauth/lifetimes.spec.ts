import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import { aClient, callAs, refresh, sha256, standingOf, TOKEN, tokensFor } from './flows';

const DAY = 86400;

/** Days by level (D18). */
const LEVELS = [
  { level: 'L1', access: 7, refreshing: 14 },
  { level: 'L2', access: 30, refreshing: 60 },
  { level: 'L3', access: 90, refreshing: 180 },
] as const;

let harness: Harness;
let browser: Browser;
beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
});
afterAll(() => harness.close());

/** Days that a stored token lives, by the clock of the database. */
async function daysOf(table: 'access_tokens' | 'refresh_tokens', token: string): Promise<number> {
  const [row] = await harness.source.query(
    `SELECT extract(epoch FROM expires_at - created_at)::float8 / ${DAY} AS days
     FROM ${table} WHERE hash = $1`,
    [sha256(token)],
  );
  return Math.round(row.days * 1000) / 1000;
}

describe.each(LEVELS)('tokens of an application at $level', ({ level, access, refreshing }) => {
  it(`are valid for ${access} days, and can be refreshed for ${refreshing}`, async () => {
    const client = await aClient(harness, { level });
    const first = await tokensFor(harness, browser, client);
    const next = (await refresh(harness, client, first.refresh_token)).body;
    for (const tokens of [first, next]) {
      expect(tokens.expires_in).toBe(access * DAY);
      expect(await daysOf('access_tokens', tokens.access_token)).toBe(access);
      expect(await daysOf('refresh_tokens', tokens.refresh_token)).toBe(refreshing);
    }
  });

  it(`of client_credentials are valid for ${access} days`, async () => {
    const client = await aClient(harness, { level });
    const { body } = await callAs(harness, client, TOKEN, { grant_type: 'client_credentials' });
    expect(body.expires_in).toBe(access * DAY);
    expect(await daysOf('access_tokens', body.access_token)).toBe(access);
  });
});

describe('an access token', () => {
  it('returns 106 after it expires, and can then be refreshed', async () => {
    const client = await aClient(harness);
    const tokens = await tokensFor(harness, browser, client);
    await harness.source.query('UPDATE access_tokens SET expires_at = now() WHERE hash = $1', [
      sha256(tokens.access_token),
    ]);
    expect(await standingOf(harness, tokens.access_token)).toEqual([401, 106]);
    const { body } = await refresh(harness, client, tokens.refresh_token);
    expect(await standingOf(harness, body.access_token)).toBe(200);
  });
});
