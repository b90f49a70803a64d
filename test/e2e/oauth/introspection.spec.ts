import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import {
  aClient,
  callAs,
  refresh,
  refused,
  sha256,
  standingOf,
  TOKEN,
  tokensFor,
  type TestClient,
} from './flows';

const INTROSPECT = '/service/auth2/introspect';
const REVOKE = '/service/auth2/revoke';
const INACTIVE = { active: false };

let harness: Harness;
let browser: Browser;
let client: TestClient;
let other: TestClient;
let open: TestClient;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness);
  other = await aClient(harness);
  open = await aClient(harness, { isPublic: true });
});
afterAll(() => harness.close());

const introspect = async (token: string, as = client) =>
  (await callAs(harness, as, INTROSPECT, { token })).body;

describe('introspection (RFC 7662)', () => {
  it("returns the members of the application's own tokens", async () => {
    const tokens = await tokensFor(harness, browser, client, { scope: 'book_basic_r' });
    const [row] = await harness.source.query(
      `SELECT floor(extract(epoch FROM expires_at))::int AS exp,
         floor(extract(epoch FROM created_at))::int AS iat FROM access_tokens WHERE hash = $1`,
      [sha256(tokens.access_token)],
    );
    expect(await introspect(tokens.access_token)).toEqual({
      active: true,
      scope: 'book_basic_r',
      client_id: client.clientId,
      token_type: 'Bearer',
      exp: row.exp,
      iat: row.iat,
      sub: tokens.user_id,
      username: 'ann',
      iss: 'http://api.test',
    });
    expect(await introspect(tokens.refresh_token)).toMatchObject({
      active: true,
      scope: 'book_basic_r',
      client_id: client.clientId,
      sub: tokens.user_id,
      username: 'ann',
    });
  });

  it('names no user for a client_credentials token', async () => {
    const { body } = await callAs(harness, client, TOKEN, { grant_type: 'client_credentials' });
    const response = await introspect(body.access_token);
    expect(response.active).toBe(true);
    expect([response.sub, response.username]).toEqual([undefined, undefined]);
  });

  it("reveals nothing of another application's tokens", async () => {
    const tokens = await tokensFor(harness, browser, client);
    expect(await introspect(tokens.access_token, other)).toEqual(INACTIVE);
    expect(await introspect(tokens.refresh_token, other)).toEqual(INACTIVE);
  });

  it.each(['x', 'cpat_unknown', "'--", 'a'.repeat(5000)])(
    'returns inactive for %s',
    async (token) => {
      expect(await introspect(token)).toEqual(INACTIVE);
    },
  );

  it('returns inactive for expired, used and revoked tokens', async () => {
    const tokens = await tokensFor(harness, browser, client);
    const next = (await refresh(harness, client, tokens.refresh_token)).body;
    expect(await introspect(tokens.refresh_token)).toEqual(INACTIVE);
    for (const table of ['access_tokens', 'refresh_tokens']) {
      await harness.source.query(
        `UPDATE ${table} SET expires_at = now() WHERE hash = ANY ($1::bytea[])`,
        [[sha256(next.access_token), sha256(next.refresh_token)]],
      );
    }
    expect(await introspect(next.access_token)).toEqual(INACTIVE);
    expect(await introspect(next.refresh_token)).toEqual(INACTIVE);
  });

  it('excludes scopes that the application lost', async () => {
    const losing = await aClient(harness, { scopes: ['book_basic_r', 'book_basic_w'] });
    const tokens = await tokensFor(harness, browser, losing);
    const lost = { scopes: ['book_basic_w'] };
    const decider = { actor: 'administrator' };
    await harness.app
      .get(ApprovalsService, { strict: false })
      .suspend(losing.clientId, lost, decider);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await introspect(token, losing)).toMatchObject({
        active: true,
        scope: 'book_basic_r',
      });
    }
  });

  it('has the scope admin only while the user is an administrator', async () => {
    const console = await aClient(harness, { scopes: ['book_basic_r', 'admin'] });
    const administrator = await new Browser(harness).register('fay');
    const tokens = await tokensFor(harness, administrator, console, { scope: 'book_basic_r' });
    for (const table of ['access_tokens', 'refresh_tokens']) {
      await harness.source.query(
        `UPDATE ${table} SET scopes = '{book_basic_r,admin}' WHERE hash = ANY ($1::bytea[])`,
        [[sha256(tokens.access_token), sha256(tokens.refresh_token)]],
      );
    }
    const scopesAs = async (role: string) => {
      await harness.source.query('UPDATE users SET role = $1 WHERE id = $2', [
        role,
        tokens.user_id,
      ]);
      const both = [tokens.access_token, tokens.refresh_token];
      return Promise.all(both.map(async (token) => (await introspect(token, console)).scope));
    };
    const all = 'book_basic_r admin';
    expect(await scopesAs('administrator')).toEqual([all, all]);
    expect(await scopesAs('member')).toEqual(['book_basic_r', 'book_basic_r']);
  });

  it('is not available to public clients: 401, 116', async () => {
    const tokens = await tokensFor(harness, browser, open);
    const { status, body } = await callAs(harness, open, INTROSPECT, {
      token: tokens.access_token,
    });
    expect([status, body]).toEqual([
      401,
      refused('invalid_client', 116, 'client_secret_mismatch', `POST ${INTROSPECT}`),
    ]);
  });

  it.each([{ token: 'cpat_x' }, { token: 'cpat_x', client_id: '' }, {}])(
    'needs authentication: 401, 116, with a challenge (section 2.3): %j',
    async (fields) => {
      const { status, body, headers } = await harness.call(INTROSPECT, {
        method: 'POST',
        body: new URLSearchParams(fields as Record<string, string>),
      });
      expect([status, body]).toEqual([
        401,
        refused('invalid_client', 116, 'client_secret_mismatch', `POST ${INTROSPECT}`),
      ]);
      expect(headers.get('www-authenticate')).toMatch(/^Basic realm="/);
    },
  );

  it('requires a token: 113', async () => {
    const { status, body } = await callAs(harness, client, INTROSPECT, {});
    expect([status, body.error, body.code]).toEqual([400, 'invalid_request', 113]);
  });
});

describe('revocation (RFC 7009)', () => {
  const revoke = (token: string, as = client, more = {}) =>
    callAs(harness, as, REVOKE, { token, ...more });

  it('of an access token revokes only that one', async () => {
    const tokens = await tokensFor(harness, browser, client);
    const response = await revoke(tokens.access_token);
    expect([response.status, response.body]).toEqual([200, {}]);
    expect(await standingOf(harness, tokens.access_token)).toEqual([401, 103]);
    expect((await refresh(harness, client, tokens.refresh_token)).status).toBe(200);
  });

  it('of a refresh token revokes its grant', async () => {
    const tokens = await tokensFor(harness, browser, client);
    const next = (await refresh(harness, client, tokens.refresh_token)).body;
    expect((await revoke(next.refresh_token)).status).toBe(200);
    for (const { access_token: token } of [tokens, next]) {
      expect(await standingOf(harness, token)).toEqual([401, 103]);
    }
    expect((await refresh(harness, client, next.refresh_token)).body.code).toBe(119);
  });

  it.each(['access_token', 'refresh_token', 'anything'])(
    'works with the hint %s',
    async (token_type_hint) => {
      const tokens = await tokensFor(harness, browser, open);
      await revoke(tokens.access_token, open, { token_type_hint });
      expect(await standingOf(harness, tokens.access_token)).toEqual([401, 103]);
    },
  );

  it("does not affect another application's tokens, and reveals nothing of them", async () => {
    const tokens = await tokensFor(harness, browser, client);
    for (const as of [other, open]) {
      for (const token of [tokens.access_token, tokens.refresh_token, 'unknown']) {
        const { status, body } = await revoke(token, as);
        expect([status, body]).toEqual([200, {}]);
      }
    }
    expect(await standingOf(harness, tokens.access_token)).toBe(200);
    expect((await refresh(harness, client, tokens.refresh_token)).status).toBe(200);
  });

  it('by the user revokes all grants of the application', async () => {
    const eve = await new Browser(harness).register('eve');
    const own = await tokensFor(harness, eve, client);
    const others = await tokensFor(harness, browser, client);
    const page = await eve.open('/service/account');
    expect(page.text).toContain(client.clientId);
    const form = { client_id: client.clientId };
    const { headers } = await eve.fill('/service/account', '/service/account/revoke', form);
    expect(headers.get('location')).toBe('/service/account?did=revoke');
    expect(await standingOf(harness, own.access_token)).toEqual([401, 103]);
    expect((await refresh(harness, client, own.refresh_token)).body.code).toBe(119);
    expect((await eve.open('/service/account')).text).not.toContain(client.clientId);
    expect(await standingOf(harness, others.access_token)).toBe(200);
  });
});
