import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import {
  aClient,
  authorizationOf,
  codeFor,
  consent,
  exchange,
  refresh,
  refused,
  REDIRECT,
  sha256,
  standingOf,
  tokensFor,
  type TestClient,
} from './flows';
import { withRowLocked } from './lock-row';

let harness: Harness;
let browser: Browser;
let client: TestClient;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness);
});
afterAll(() => harness.close());

const INVALID = refused('invalid_grant', 118, 'invalid_authorization_code');

/** The stored row of a code. */
const rowOf = async (code: string) =>
  (
    await harness.source.query(
      `SELECT c.*, extract(epoch FROM c.expires_at - g.created_at)::int AS lifetime, g.revoked_at
       FROM authorization_codes c JOIN grants g ON g.id = c.grant_id WHERE c.hash = $1`,
      [sha256(code)],
    )
  )[0];

describe('an authorization code', () => {
  it('gives tokens of the user for the granted scopes', async () => {
    const code = await codeFor(browser, client, { scope: 'book_basic_r book_basic_w' });
    const { status, body, headers } = await exchange(harness, client, code);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^cpat_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 7 * 86400,
      refresh_token: expect.stringMatching(/^cprt_[\w-]{43}$/),
      scope: 'book_basic_r book_basic_w',
      user_id: expect.stringMatching(/^\d+$/),
      user_name: 'ann',
    });
  });

  it('expires after 60 seconds', async () => {
    const code = await codeFor(browser, client);
    expect((await rowOf(code)).lifetime).toBe(60);
    await harness.source.query(
      `UPDATE authorization_codes SET expires_at = now() - interval '1 second' WHERE hash = $1`,
      [sha256(code)],
    );
    const { status, body } = await exchange(harness, client, code);
    expect([status, body]).toEqual([400, INVALID]);
  });

  it.each(['cpac_nobody', 'x', "'; DROP TABLE grants; --", 'a'.repeat(5000)])(
    'that was never issued is rejected: %s',
    async (code) => {
      const { status, body } = await exchange(harness, client, code);
      expect([status, body]).toEqual([400, INVALID]);
    },
  );

  it('is required: 113', async () => {
    const { status, body } = await exchange(harness, client, '');
    expect([status, body]).toEqual([
      400,
      refused('invalid_request', 113, 'required_parameter_is_missing'),
    ]);
  });

  it('is not issued when the user denies access', async () => {
    const response = await consent(browser, authorizationOf(client, { state: 's' }), 'deny');
    expect(`${response.origin}${response.pathname}`).toBe(REDIRECT);
    expect(Object.fromEntries(response.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's',
    });
    expect(response.searchParams.has('code')).toBe(false);
  });
});

describe('a code that is used twice (RFC 6749, section 4.1.2)', () => {
  it('is rejected, and its tokens are revoked', async () => {
    const code = await codeFor(browser, client);
    const first = await exchange(harness, client, code);
    expect(await standingOf(harness, first.body.access_token)).toBe(200);
    const second = await exchange(harness, client, code);
    expect([second.status, second.body]).toEqual([400, INVALID]);
    expect(await standingOf(harness, first.body.access_token)).toEqual([401, 103]);
    expect((await refresh(harness, client, first.body.refresh_token)).body.code).toBe(119);
  });

  it('revokes refreshed tokens, too', async () => {
    const code = await codeFor(browser, client);
    const first = await exchange(harness, client, code);
    const next = await refresh(harness, client, first.body.refresh_token);
    expect(await standingOf(harness, next.body.access_token)).toBe(200);
    await exchange(harness, client, code);
    expect(await standingOf(harness, next.body.access_token)).toEqual([401, 103]);
    expect((await refresh(harness, client, next.body.refresh_token)).body.code).toBe(119);
  });

  it('does not revoke other grants of the user', async () => {
    const other = await tokensFor(harness, browser, client);
    const code = await codeFor(browser, client);
    await exchange(harness, client, code);
    await exchange(harness, client, code);
    expect(await standingOf(harness, other.access_token)).toBe(200);
  });

  it('gives tokens once of 50 concurrent requests', async () => {
    const code = await codeFor(browser, client);
    const lock = 'SELECT FROM authorization_codes WHERE hash = $1 FOR UPDATE';
    const responses = await withRowLocked(harness.url, lock, [sha256(code)], () =>
      Promise.all(Array.from({ length: 50 }, () => exchange(harness, client, code))),
    );
    const good = responses.filter(({ status }) => status === 200);
    const bad = responses.filter(({ status }) => status !== 200);
    expect(good).toHaveLength(1);
    expect(bad.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 49 }, () => [400, INVALID]),
    );
    // Two had it: one of them is a thief, and nobody knows which.
    expect(await standingOf(harness, good[0]?.body.access_token)).toEqual([401, 103]);
    const [{ count }] = await harness.source.query(
      `SELECT count(*)::int FROM access_tokens WHERE grant_id =
         (SELECT grant_id FROM authorization_codes WHERE hash = $1)`,
      [sha256(code)],
    );
    expect(count).toBe(1);
  });
});

describe('a code of another client (RFC 9700, section 4.5)', () => {
  it.each([true, false])(
    'is rejected, and stays valid for its own client (public: %s)',
    async (isPublic) => {
      const other = await aClient(harness, { isPublic });
      const code = await codeFor(browser, client);
      const stolen = await exchange(harness, other, code);
      expect([stolen.status, stolen.body]).toEqual([400, INVALID]);
      expect((await exchange(harness, client, code)).status).toBe(200);
    },
  );

  it('is rejected also when it was used, and its tokens stay valid', async () => {
    const other = await aClient(harness);
    const code = await codeFor(browser, client);
    const { body } = await exchange(harness, client, code);
    expect((await exchange(harness, other, code)).status).toBe(400);
    expect(await standingOf(harness, body.access_token)).toBe(200);
  });
});

describe('the redirect_uri of a code (RFC 6749, section 4.1.3)', () => {
  const second = 'https://client.example/second';

  it.each([second, `${REDIRECT}/`, `${REDIRECT}?x=1`, 'HTTPS://client.example/callback', ''])(
    'must be that of the authorization request: "%s" is 117',
    async (redirect_uri) => {
      const two = await aClient(harness, { redirectUris: [REDIRECT, second] });
      const code = await codeFor(browser, two);
      const { status, body } = await exchange(harness, two, code, { redirect_uri });
      expect([status, body]).toEqual([400, refused('invalid_grant', 117, 'redirect_uri_mismatch')]);
      // The failed attempt knew the code, so that the code is revoked.
      expect((await exchange(harness, two, code)).status).toBe(400);
    },
  );

  it('may be omitted if the authorization request omitted it', async () => {
    const code = await codeFor(browser, client, { redirect_uri: undefined });
    const { status } = await exchange(harness, client, code, { redirect_uri: '' });
    expect(status).toBe(200);
  });
});

describe('scopes of a code', () => {
  it.each([
    ['book_basic_r book_basic_w', 'book_basic_r book_basic_w'],
    ['book_basic_r,book_basic_w', 'book_basic_r book_basic_w'],
    [' book_basic_r , book_basic_r', 'book_basic_r'],
  ])('are separated by commas or spaces: "%s"', async (scope, granted) => {
    expect((await tokensFor(harness, browser, client, { scope })).scope).toBe(granted);
  });

  it('default to those that every application has', async () => {
    const some = await aClient(harness, { scopes: ['book_basic_r', 'movie_premium_r'] });
    expect((await tokensFor(harness, browser, some)).scope).toBe('book_basic_r');
  });

  it('cannot be extended at the token endpoint', async () => {
    const code = await codeFor(browser, client, { scope: 'book_basic_r' });
    const { body } = await exchange(harness, client, code, { scope: 'book_basic_w' });
    expect(body.scope ?? body.code).toBe('book_basic_r');
  });
});
