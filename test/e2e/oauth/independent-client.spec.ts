import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import { aClient, consent, REDIRECT, standingOf, type TestClient } from './flows';

/** An independent client, which verifies that the server conforms to the RFCs. */
const load = () => import('oauth4webapi');
type Library = Awaited<ReturnType<typeof load>>;
type AuthorizationServer = Awaited<ReturnType<Library['processDiscoveryResponse']>>;
type ClientAuth = ReturnType<Library['None']>;

let oauth: Library;
let harness: Harness;
let browser: Browser;
let server: AuthorizationServer;
let insecure: object;

beforeAll(async () => {
  oauth = await load();
  insecure = { [oauth.allowInsecureRequests]: true };
  harness = await startHarness({ reachable: true });
  browser = await new Browser(harness).register('ann');
  server = await oauth.processDiscoveryResponse(
    new URL(harness.origin),
    await oauth.discoveryRequest(new URL(harness.origin), { algorithm: 'oauth2', ...insecure }),
  );
});
afterAll(() => harness.close());

/** Ways to authenticate, and the applications that use them. */
const WAYS = ['none', 'client_secret_post', 'client_secret_basic'] as const;

const authenticationOf = (way: (typeof WAYS)[number], { secret = '' }: TestClient): ClientAuth => {
  if (way === 'none') return oauth.None();
  return way === 'client_secret_post'
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret);
};

/** An authorization request, the user's consent, and the response that the client checks. */
async function authorize(clientId: string, more: Record<string, string> = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const request = new URL(String(server.authorization_endpoint));
  request.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...more,
  }).toString();
  const response = await consent(browser, request.pathname + request.search);
  return { verifier, state, response };
}

async function fetchTokens(clientId: string, authentication: ClientAuth) {
  const client = { client_id: clientId };
  const { verifier, state, response } = await authorize(clientId, { scope: 'book_basic_r' });
  const parameters = oauth.validateAuthResponse(server, client, response, state);
  return oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      REDIRECT,
      verifier,
      insecure,
    ),
  );
}

describe('discovery (RFC 8414)', () => {
  it('lists the endpoints and their features', () => {
    const endpoint = (name: string) => `${harness.origin}/service/auth2/${name}`;
    expect(server).toMatchObject({
      issuer: harness.origin,
      authorization_endpoint: endpoint('auth'),
      token_endpoint: endpoint('token'),
      revocation_endpoint: endpoint('revoke'),
      introspection_endpoint: endpoint('introspect'),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    expect([...(server.token_endpoint_auth_methods_supported ?? [])].sort()).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'none',
    ]);
  });
});

describe.each(WAYS)('an independent client that authenticates with %s', (way) => {
  let application: TestClient;
  let authentication: ClientAuth;
  beforeAll(async () => {
    application = await aClient(harness, { isPublic: way === 'none' });
    authentication = authenticationOf(way, application);
  });

  it('gets tokens with a code and PKCE, which are valid', async () => {
    const tokens = await fetchTokens(application.clientId, authentication);
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      scope: 'book_basic_r',
      refresh_token: expect.any(String),
      user_id: expect.stringMatching(/^\d+$/),
      user_name: 'ann',
    });
    expect(await standingOf(harness, tokens.access_token)).toBe(200);
  });

  it('refreshes them', async () => {
    const client = { client_id: application.clientId };
    const first = await fetchTokens(application.clientId, authentication);
    const second = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        String(first.refresh_token),
        insecure,
      ),
    );
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await standingOf(harness, second.access_token)).toBe(200);
  });

  it('revokes them', async () => {
    const client = { client_id: application.clientId };
    const { access_token: token } = await fetchTokens(application.clientId, authentication);
    const response = await oauth.revocationRequest(server, client, authentication, token, insecure);
    expect(await oauth.processRevocationResponse(response)).toBeUndefined();
    expect(await standingOf(harness, token)).toEqual([401, 103]);
  });

  it('gets no tokens with a wrong verifier', async () => {
    const client = { client_id: application.clientId };
    const { state, response: redirected } = await authorize(application.clientId);
    const parameters = oauth.validateAuthResponse(server, client, redirected, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      REDIRECT,
      oauth.generateRandomCodeVerifier(),
      insecure,
    );
    await expect(
      oauth.processAuthorizationCodeResponse(server, client, response),
    ).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });
});

describe.each(['client_secret_post', 'client_secret_basic'] as const)(
  'an independent client with a secret, by %s',
  (way) => {
    let client: { client_id: string };
    let authentication: ClientAuth;
    beforeAll(async () => {
      const application = await aClient(harness);
      client = { client_id: application.clientId };
      authentication = authenticationOf(way, application);
    });

    it('gets a token of its own', async () => {
      const tokens = await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(
          server,
          client,
          authentication,
          { scope: 'book_basic_r' },
          insecure,
        ),
      );
      expect(tokens).toMatchObject({ scope: 'book_basic_r', token_type: 'bearer' });
      expect(tokens).not.toHaveProperty('refresh_token');
      expect((await harness.call('/v2/book/0', { token: tokens.access_token })).body.code).toBe(
        6000,
      );
    });

    it('introspects its tokens, also after revocation', async () => {
      const tokens = await fetchTokens(client.client_id, authentication);
      const introspect = async (token: string) =>
        oauth.processIntrospectionResponse(
          server,
          client,
          await oauth.introspectionRequest(server, client, authentication, token, insecure),
        );
      expect(await introspect(tokens.access_token)).toMatchObject({
        active: true,
        client_id: client.client_id,
        scope: 'book_basic_r',
        username: 'ann',
        sub: tokens.user_id,
        iss: harness.origin,
        exp: expect.any(Number),
      });
      const refreshToken = String(tokens.refresh_token);
      expect(await introspect(refreshToken)).toMatchObject({ active: true, sub: tokens.user_id });
      await oauth.revocationRequest(server, client, authentication, refreshToken, insecure);
      expect(await introspect(refreshToken)).toEqual({ active: false });
      expect(await introspect(tokens.access_token)).toEqual({ active: false });
    });
  },
);

describe('the parameter iss (RFC 9207, against mix-up)', () => {
  it('is sent with a code and with an error', async () => {
    const { clientId } = await aClient(harness);
    const good = await authorize(clientId);
    expect(good.response.searchParams.get('iss')).toBe(harness.origin);
    const bad = await browser.open(`/service/auth2/auth?client_id=${clientId}&response_type=token`);
    const to = new URL(String(bad.headers.get('location')));
    expect([to.searchParams.get('iss'), to.searchParams.get('error')]).toEqual([
      harness.origin,
      'unsupported_response_type',
    ]);
  });

  it.each(['another', 'no'])('is rejected by the client when it is %s server', async (whose) => {
    const { clientId } = await aClient(harness);
    const client = { client_id: clientId };
    const { response, state } = await authorize(clientId);
    expect(() => oauth.validateAuthResponse(server, client, response, state)).not.toThrow();
    if (whose === 'no') response.searchParams.delete('iss');
    else response.searchParams.set('iss', 'https://attacker.example');
    expect(() => oauth.validateAuthResponse(server, client, response, state)).toThrow(/iss/);
  });

  it('is sent together with the state of the request', async () => {
    const { clientId } = await aClient(harness);
    const { response } = await authorize(clientId);
    expect(() =>
      oauth.validateAuthResponse(server, { client_id: clientId }, response, 'another state'),
    ).toThrow(/state/);
  });
});
