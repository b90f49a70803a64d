import { type Shape } from '../contract/shape';
import { Browser } from '../e2e/oauth/browser';
import {
  authorizationOf,
  AUTH,
  callAs,
  codeFor,
  consent,
  exchange,
  REDIRECT,
  refresh,
  refused,
  standingOf,
  TOKEN,
  tokensFor,
  type TestClient,
} from '../e2e/oauth/protocol';
import { type TestResponse } from '../http';
import { unique } from './client';
import { expectError, expectShape, itCallsAll } from './expectations';
import { ROUTES } from './routes';
import { Stage, USUAL_SCOPES, type Person } from './stage';

const REVOKE = '/service/auth2/revoke';
const INTROSPECT = '/service/auth2/introspect';
const scope = 'book_basic_r,book_basic_w';
/** Without PKCE. */
const BARE = { code_challenge: undefined, code_challenge_method: undefined };

const stage = new Stage();
const { service } = stage;
let person: Person;
let client: TestClient;
let open: TestClient;
beforeAll(async () => {
  person = await stage.person();
  client = await stage.approved(person, []);
  open = await stage.application(person, 'public');
});
afterAll(() => stage.close());

const expectRefusal = (
  { status, body }: TestResponse,
  wanted: number,
  ...error: Parameters<typeof refused>
): void => {
  expect([status, body]).toEqual([wanted, refused(...error)]);
};
const TOKENS = {
  access_token: 'string',
  token_type: 'string',
  expires_in: 'integer',
  refresh_token: 'string',
  scope: 'string',
  user_id: 'string',
  user_name: 'string',
} as const satisfies Shape;

describe('accounts and applications', () => {
  it('303, 403: a user signs out, and signs in with the right password only', async () => {
    const browser = new Browser(service);
    const uid = `p.${unique()}`;
    const password = `password ${unique()}`;
    await browser.register(uid, password);
    expect((await browser.open('/service/account')).status).toBe(200);
    await browser.signOut();
    expect((await browser.open('/service/account')).status).toBe(303);
    expect((await browser.signIn(uid, 'a wrong password')).status).toBe(403);
    expect((await browser.signIn(uid, password)).status).toBe(303);
    const { body } = await service.admin('GET', `/users?q=${uid}`);
    expect(body.users).toMatchObject([{ uid, role: 'member', blocked: false }]);
    await service.admin('POST', `/users/${body.users[0].id}/block`);
    expect((await browser.open('/service/account')).status).toBe(303);
  });

  it('400, 403: registration rejects taken uids, short passwords and forms without a CSRF token', async () => {
    const browser = new Browser(service);
    const register = (uid: string, password: string) =>
      browser.fill('/service/register', '/service/register', { uid, password });
    expect((await register(person.uid, 'a long enough one')).status).toBe(400);
    expect((await register(`p.${unique()}`, 'short')).status).toBe(400);
    const foreign = await browser.post('/service/register', { uid: 'x', password: 'y' });
    expect(foreign.status).toBe(403);
  });

  it('303: an administrator approves the scopes and the level that a developer requests', async () => {
    const asking = await stage.application(person);
    const page = `/service/developer/applications/${asking.clientId}`;
    const ask = await person.browser.fill(`${page}/permissions`, `${page}/request`, {
      ...{ scope: 'movie_advance_r', level: 'L2', reason: 'A reason.', agreed: 'yes' },
    });
    expect(ask.status).toBe(303);
    const at = `/applications/${asking.clientId}`;
    const { body } = await service.admin('GET', at);
    expect(body).toMatchObject({
      owner: person.uid,
      level: 'L1',
      states: { movie_advance_r: 'asked', L2: 'asked' },
    });
    expect([...body.scopes].sort()).toEqual([...USUAL_SCOPES].sort());
    await service.admin('POST', `${at}/approve`, { scopes: ['movie_advance_r'], level: 'L2' });
    const after = (await service.admin('GET', at)).body;
    expect(after.level).toBe('L2');
    expect(after.scopes).toContain('movie_advance_r');
    expect((await person.browser.open(`${page}/permissions`)).text).toContain('movie_advance_r');
  });
});

describe('authorization codes (D18)', () => {
  it('200: the metadata document describes the server (RFC 8414)', async () => {
    const { status, body } = await service.call('/.well-known/oauth-authorization-server');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        authorization_endpoint: expect.stringMatching(new RegExp(`${AUTH}$`)),
        token_endpoint: expect.stringMatching(new RegExp(`${TOKEN}$`)),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: expect.arrayContaining(USUAL_SCOPES),
      }),
    ]);
  });

  it('200: a code is exchanged for tokens with a client secret, with PKCE, and with both', async () => {
    for (const by of [client, open]) {
      const code = await codeFor(person.browser, by, { scope });
      const body = expectShape(await exchange(service, by, code), 200, TOKENS);
      expect([body.user_name, body.expires_in]).toEqual([person.uid, 7 * 24 * 3600]);
      expect(body.scope.split(/[ ,]/).sort()).toEqual(scope.split(','));
      expect(await standingOf(service, body.access_token)).toBe(200);
    }
    const code = await codeFor(person.browser, client, { scope, ...BARE });
    const unchallenged = await callAs(service, client, TOKEN, {
      ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT },
    });
    expectShape(unchallenged, 200, TOKENS);
    const needed = await consent(person.browser, authorizationOf(client, { state: 'my state' }));
    expect(needed.searchParams.get('state')).toBe('my state');
    const denied = await consent(person.browser, authorizationOf(client), 'deny');
    expect(denied.searchParams.get('error')).toBe('access_denied');
  });

  it('303: errors of a request are returned to its redirect URI, if that is registered', async () => {
    const errorOf = async (by: TestClient, more: Record<string, string | undefined>) => {
      const { headers } = await person.browser.open(authorizationOf(by, more));
      return new URL(String(headers.get('location'))).searchParams.get('error');
    };
    expect(await errorOf(client, { response_type: 'token' })).toBe('unsupported_response_type');
    expect(await errorOf(client, { scope: 'nonsense' })).toBe('invalid_scope');
    expect(await errorOf(client, { scope: 'movie_premium_r' })).toBe('invalid_scope');
    expect(await errorOf(open, BARE)).toBe('invalid_request');
    for (const more of [{ redirect_uri: 'https://elsewhere.example/' }, { client_id: 'nobody' }]) {
      const { status } = await person.browser.open(authorizationOf(client, more));
      expect(status).toBe(400);
    }
  });

  it('400: a code works once, with its own verifier and redirect URI only (117, 118)', async () => {
    const fresh = () => codeFor(person.browser, client, { scope });
    const wrong = await exchange(service, client, await fresh(), { code_verifier: 'x'.repeat(43) });
    expectRefusal(wrong, 400, 'invalid_grant', 118, 'invalid_authorization_code');
    const redirect_uri = 'https://client.example/other';
    const elsewhere = await exchange(service, client, await fresh(), { redirect_uri });
    expectRefusal(elsewhere, 400, 'invalid_grant', 117, 'redirect_uri_mismatch');
    const code = await fresh();
    const { body } = await exchange(service, client, code);
    const again = await exchange(service, client, code);
    expectRefusal(again, 400, 'invalid_grant', 118, 'invalid_authorization_code');
    expect(await standingOf(service, body.access_token)).toEqual([401, 103]);
  });
});

describe('tokens (D13, D18)', () => {
  it('200, 400: a refresh token works once; reuse revokes the tokens of its grant (119)', async () => {
    const first = await tokensFor(service, person.browser, client, { scope });
    const second = expectShape(await refresh(service, client, first.refresh_token), 200, TOKENS);
    expect(await standingOf(service, second.access_token)).toBe(200);
    const again = await refresh(service, client, first.refresh_token);
    expectRefusal(again, 400, 'invalid_grant', 119, 'invalid_refresh_token');
    expect(await standingOf(service, second.access_token)).toEqual([401, 103]);
  });

  it('200: client credentials grant read access without a user', async () => {
    const own = (by: TestClient, scopes: string) =>
      callAs(service, by, TOKEN, { grant_type: 'client_credentials', scope: scopes });
    const { body } = await own(client, 'book_basic_r');
    expect(body).not.toHaveProperty('refresh_token');
    const token = body.access_token as string;
    expect((await service.call('/v2/book/search?q=a', { token })).status).toBe(200);
    expectError(await service.call('/v2/book/1/collection', { token }), 403, 1000);
    const basic = Buffer.from(`${client.clientId}:${client.secret}`).toString('base64');
    const inHeader = await service.call(TOKEN, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(inHeader.status).toBe(200);
    const write = await own(client, 'book_basic_w');
    expectRefusal(write, 400, 'invalid_scope', 125, 'invalid_request_scope');
    expect((await own(open, 'book_basic_r')).status).toBe(400);
  });

  it('200: tokens are introspected and revoked (RFC 7662, RFC 7009)', async () => {
    const tokens = await tokensFor(service, person.browser, client, { scope });
    const { access_token: token, user_id: sub } = tokens;
    const look = async () => (await callAs(service, client, INTROSPECT, { token })).body;
    expect(await look()).toMatchObject({ active: true, sub, client_id: client.clientId });
    expect((await callAs(service, client, REVOKE, { token })).status).toBe(200);
    expect(await look()).toEqual({ active: false });
    await service.until(async () => (await standingOf(service, token)) !== 200);
    expect(await standingOf(service, token)).toEqual([401, 103]);
  });

  it('400, 401: errors of the token endpoint have an OAuth error and a code (113 to 116)', async () => {
    const ask = (by: TestClient, fields: Record<string, string>) =>
      callAs(service, by, TOKEN, fields);
    const missing = await ask(client, {});
    expectRefusal(missing, 400, 'invalid_request', 113, 'required_parameter_is_missing');
    const grant = await ask(client, { grant_type: 'password' });
    expectRefusal(grant, 400, 'unsupported_grant_type', 114, 'unsupported_grant_type');
    const secret = await ask({ ...client, secret: 'wrong' }, { grant_type: 'client_credentials' });
    expectRefusal(secret, 401, 'invalid_client', 116, 'client_secret_mismatch');
  });
});

describe('rejected callers', () => {
  const SEARCH = '/v2/book/search?q=a&count=1';

  it('401: unknown tokens (103) and API keys (104) are rejected; tokens in the query are ignored', async () => {
    const unknown = await service.call(SEARCH, { token: 'nonsense' });
    expectError(unknown, 401, 103);
    expect(unknown.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expectError(await service.call(`${SEARCH}&apikey=nonsense`), 401, 104);
    expectError(await service.call('/v2/note/1?access_token=nonsense'), 403, 1000);
  });

  it('403: a token without the scope is rejected, and the response names the scope', async () => {
    const needs: [string, string, string][] = [
      ['book_basic_r', 'GET', '/v2/book/1'],
      ['book_basic_w', 'DELETE', '/v2/book/1/collection'],
      ['service_basic_common', 'GET', '/v2/book/user_tags/1'],
      ['community_basic_note', 'GET', '/v2/note/1'],
      ['event_basic_r', 'GET', '/v2/loc/1'],
      ['event_basic_w', 'POST', '/v2/event/1/wishers'],
      ['movie_basic_r', 'GET', '/v2/movie/top250'],
      ['movie_advance_r', 'GET', '/v2/movie/weekly'],
      ['movie_premium_r', 'GET', '/v2/movie/coming_soon'],
      ['admin', 'GET', '/admin/v1/users'],
    ];
    for (const [needed, method, path] of needs) {
      const other = needed === 'event_basic_r' ? 'event_basic_w' : 'event_basic_r';
      const member = await stage.member(person, client, [other]);
      const response = await member.send(method, path);
      expectError(response, 403, 1000);
      const challenge = response.headers.get('www-authenticate');
      expect(challenge).toContain('error="insufficient_scope"');
      // Movie routes accept several scopes.
      if (!needed.startsWith('movie_')) expect(challenge).toContain(`scope="${needed}"`);
    }
  });

  it('403: blocked (105) and suspended (1000, for notes 1001) applications are rejected', async () => {
    const losing = await stage.approved(person, []);
    const member = await stage.member(person, losing);
    const at = `/applications/${losing.clientId}`;
    const notes = 'community_basic_note';
    await service.admin('POST', `${at}/suspend`, { scopes: ['book_basic_r', notes], reason: 'r' });
    await service.until(async () => (await member.get(SEARCH)).status === 403);
    expectError(await member.get(SEARCH), 403, 1000);
    expectError(await member.get('/v2/note/1'), 404, 1001);
    await service.admin('POST', `${at}/block`, {
      reason: 'a test',
      contact: 'help@service.example',
    });
    await service.until(async () => (await member.get('/v2/loc/list')).status === 403);
    expectError(await member.get(SEARCH), 403, 105);
    expectError(await service.call(`${SEARCH}&apikey=${losing.clientId}`), 403, 105);
  });

  it('401: tokens of a blocked user are rejected (122)', async () => {
    const leaving = await stage.person();
    const member = await stage.member(leaving, client, ['book_basic_r']);
    expect((await member.get(SEARCH)).status).toBe(200);
    await service.admin('POST', `/users/${member.id}/block`);
    await service.until(async () => (await member.get(SEARCH)).status === 401);
    expectError(await member.get(SEARCH), 401, 122);
  });
});

itCallsAll(ROUTES.authorization, service);
