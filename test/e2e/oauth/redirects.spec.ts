import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import { aClient, AUTH, authorizationOf, consent, REDIRECT, type TestClient } from './flows';

let harness: Harness;
let browser: Browser;
let client: TestClient;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness, { redirectUris: [REDIRECT, 'http://127.0.0.1:8080/callback'] });
});
afterAll(() => harness.close());

/** Addresses that are almost the registered one (RFC 9700, section 4.1). */
const TRICKS = {
  prefix: 'https://client.example/callback/more',
  'another prefix': 'https://client.example/callbackmore',
  suffix: 'https://client.example/call',
  'another site with the same end': 'https://attacker.example/https://client.example/callback',
  subdomain: 'https://attacker.client.example/callback',
  'longer domain': 'https://client.example.attacker.example/callback',
  'path traversal': 'https://client.example/callback/../attacker',
  'path traversal to the same': 'https://client.example/other/../callback',
  'encoded path traversal': 'https://client.example/callback/%2e%2e/attacker',
  userinfo: 'https://client.example@attacker.example/callback',
  'userinfo before the same': 'https://user@client.example/callback',
  backslash: 'https://client.example\\@attacker.example/callback',
  port: 'https://client.example:8443/callback',
  'default port': 'https://client.example:443/callback',
  'port on the own machine': 'http://127.0.0.1:8081/callback',
  'another name of the own machine': 'http://localhost:8080/callback',
  'case of the path': 'https://client.example/Callback',
  'case of the host': 'https://CLIENT.example/callback',
  'case of the scheme': 'HTTPS://client.example/callback',
  'another scheme': 'http://client.example/callback',
  encoded: 'https://client.example/%63allback',
  'encoded twice': 'https%3A%2F%2Fclient.example%2Fcallback',
  'added query': 'https://client.example/callback?next=https://attacker.example',
  'empty query': 'https://client.example/callback?',
  fragment: 'https://client.example/callback#fragment',
  'empty fragment': 'https://client.example/callback#',
  'slash at the end': 'https://client.example/callback/',
  'space at the end': 'https://client.example/callback ',
  'line break': 'https://client.example/callback\r\nx: y',
  'null byte': 'https://client.example/callback\0',
  'two of them': 'https://client.example/callback https://attacker.example',
  'no scheme': '//client.example/callback',
  'path alone': '/callback',
  script: 'javascript:alert(1)//https://client.example/callback',
  data: 'data:text/html,https://client.example/callback',
  wildcard: 'https://*',
};

describe.each([true, false])(
  'a redirect_uri that is not registered (signed in: %s)',
  (signedIn) => {
    it.each(Object.entries(TRICKS))(
      'is shown to the user, who goes nowhere: %s',
      async (_, uri) => {
        const visitor = signedIn ? browser : new Browser(harness);
        const { status, headers, text } = await visitor.open(
          authorizationOf(client, { redirect_uri: uri, state: 'x' }),
        );
        expect([status, headers.get('location')]).toEqual([400, null]);
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(text).toContain('117 redirect_uri_mismatch');
        expect(text).not.toContain('<form method="post" action="/service/auth2/auth"');
        expect(headers.get('content-security-policy')).not.toContain('attacker');
      },
    );
  },
);

describe('a redirect_uri', () => {
  const faults = (fault: string) => `${authorizationOf(client)}&${fault}`;

  it('cannot be repeated', async () => {
    for (const second of ['https://attacker.example', REDIRECT]) {
      const { status, headers, text } = await browser.open(
        faults(`redirect_uri=${encodeURIComponent(second)}`),
      );
      expect([status, headers.get('location')]).toEqual([400, null]);
      expect(text).toContain('113 required_parameter_is_missing');
    }
  });

  it('cannot be replaced in the submitted consent form', async () => {
    const { status, headers } = await browser.fill(authorizationOf(client), AUTH, {
      redirect_uri: 'https://attacker.example/callback',
      decision: 'allow',
    });
    expect([status, headers.get('location')]).toEqual([400, null]);
  });

  it('may be omitted only when exactly one is registered', async () => {
    const without = { redirect_uri: undefined };
    const { status, text } = await browser.open(authorizationOf(client, without));
    expect([status, text.includes('113 required_parameter_is_missing')]).toEqual([400, true]);
    const single = await aClient(harness);
    const response = await consent(browser, authorizationOf(single, without));
    expect(response.href.startsWith(`${REDIRECT}?code=`)).toBe(true);
    const none = await aClient(harness, { redirectUris: [] });
    expect((await browser.open(authorizationOf(none, without))).status).toBe(400);
  });

  it('keeps its registered query', async () => {
    const uri = `${REDIRECT}?tenant=a%20b`;
    const own = await aClient(harness, { redirectUris: [uri] });
    const { href } = await consent(browser, authorizationOf(own, { redirect_uri: uri }));
    expect(href.startsWith(`${uri}&code=`)).toBe(true);
  });

  it.each([
    'com.example.app:/callback',
    'http://[::1]:8080/callback',
    'http://127.0.0.1:8080/callback',
  ])('of an app may be %s', async (uri) => {
    const app = await aClient(harness, { isPublic: true, redirectUris: [uri] });
    const request = authorizationOf(app, { redirect_uri: uri });
    expect((await consent(browser, request)).href.startsWith(`${uri}?code=`)).toBe(true);
  });
});

/** Faults that the sender may be told, once the user has signed in (RFC 6749, section 4.1.2.1). */
const FAULTS: readonly (readonly [more: Record<string, string>, error: string, code: number])[] = [
  [{ response_type: 'token' }, 'unsupported_response_type', 115],
  [{ response_type: 'id_token' }, 'unsupported_response_type', 115],
  [{ response_type: 'code token' }, 'unsupported_response_type', 115],
  [{ response_type: '' }, 'invalid_request', 113],
  [{ response_mode: 'fragment' }, 'invalid_request', 113],
  [{ scope: 'everything' }, 'invalid_scope', 125],
  [{ scope: 'movie_premium_r' }, 'invalid_scope', 125],
  [{ code_challenge_method: 'plain' }, 'invalid_request', 113],
  [{ state: '\u00e9' }, 'invalid_request', 113],
];

describe.each(FAULTS)('an invalid authorization request (%j)', (more, error, code) => {
  it('does not redirect a user who is not signed in (RFC 9700, section 4.11.2)', async () => {
    const stranger = new Browser(harness);
    const page = await stranger.open(authorizationOf(client, more));
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.text).toContain(`${error} (${code} `);
    const json = await stranger.open(authorizationOf(client, more), { accept: '*/*' });
    expect([json.status, json.headers.get('location')]).toEqual([400, null]);
    expect(json.body).toMatchObject({ error, code, request: `GET ${AUTH}` });
  });

  it('redirects a signed-in user to the client with the error and state, without a code', async () => {
    const { status, headers } = await browser.open(
      authorizationOf(client, { state: 'a state &=?', ...more }),
    );
    expect(status).toBe(303);
    const to = new URL(String(headers.get('location')));
    expect(`${to.origin}${to.pathname}`).toBe(REDIRECT);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      iss: 'http://api.test',
      ...(more.state === undefined ? { state: 'a state &=?' } : {}),
    });
  });
});

describe('an authorization request without a known client', () => {
  it.each([
    ['unknown', { client_id: 'nobody' }, 116],
    ['missing', { client_id: '' }, 113],
    ['odd', { client_id: '\u0000' }, 116],
  ])('(client_id is %s) goes nowhere', async (_, more, code) => {
    const { status, headers, body } = await browser.open(authorizationOf(client, more), {
      accept: 'application/json',
    });
    expect([status, headers.get('location'), body.code]).toEqual([400, null, code]);
  });

  it('is not redirected when the application is blocked (105)', async () => {
    const blocked = await aClient(harness);
    await harness.source.query('UPDATE applications SET blocked_at = now() WHERE id = $1', [
      blocked.id,
    ]);
    const { status, headers, text } = await browser.open(authorizationOf(blocked));
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('105 apikey_is_blocked');
  });
});

describe('return_to', () => {
  const OTHERS = [
    'https://attacker.example/',
    '//attacker.example/',
    '/\\attacker.example/',
    '\\\\attacker.example/',
    '/service/..//attacker.example/',
    '/service/../../attacker.example',
    '/service/%2e%2e//attacker.example/',
    '/service/.%2e/%2E.//attacker.example',
    '/service/\\..\\..\\\\attacker.example',
    '/service/\t/attacker.example',
    '/service/\r\nLocation: https://attacker.example',
    '/serviceattacker.example',
    '/service@attacker.example/',
    'service/account',
    'javascript:alert(1)',
    'http:/service/account',
    '/v2/book/1',
    '',
  ];

  it.each(OTHERS)('redirects only within the service: "%s"', async (input) => {
    const query = `return_to=${encodeURIComponent(input)}`;
    // A signed-in user is redirected at once.
    for (const page of ['sign-in', 'register']) {
      const { status, headers } = await browser.open(`/service/${page}?${query}`);
      expect(status).toBe(303);
      expect(headers.get('location')).toMatch(/^\/service\/(account|attacker\.example\/?)?$/);
    }
    const stranger = new Browser(harness);
    const { text } = await stranger.open(`/service/sign-in?${query}`);
    expect(text).toContain('name="return_to" value="/service/');
  });

  it('redirects only within the service when the form contains it', async () => {
    const stranger = new Browser(harness);
    const fields = { uid: 'ann', password: 'correct horse battery' };
    for (const return_to of ['https://attacker.example/', '/service/..//attacker.example/']) {
      const { status, headers } = await stranger.fill('/service/sign-in', '/service/sign-in', {
        ...fields,
        return_to,
      });
      expect([status, headers.get('location')]).toEqual([303, '/service/account']);
      await stranger.signOut();
    }
  });

  it('returns to the documentation with its fragment', async () => {
    const return_to = '/docs/reference/book#credentials';
    const { headers } = await new Browser(harness).fill(
      `/service/sign-in?return_to=${encodeURIComponent(return_to)}`,
      '/service/sign-in',
      { uid: 'ann', password: 'correct horse battery' },
    );
    expect(headers.get('location')).toBe(return_to);
  });

  it('returns to the authorization request after sign-in', async () => {
    const stranger = new Browser(harness);
    const request = authorizationOf(client, { state: 'a b&c' });
    const { status, headers } = await stranger.open(request);
    const signIn = String(headers.get('location'));
    expect([status, signIn.startsWith('/service/sign-in?return_to=')]).toEqual([303, true]);
    const back = await stranger.fill(signIn, '/service/sign-in', {
      uid: 'ann',
      password: 'correct horse battery',
    });
    const response = await consent(stranger, String(back.headers.get('location')));
    expect(response.searchParams.get('state')).toBe('a b&c');
    expect(response.searchParams.has('code')).toBe(true);
  });
});
