import {
  AuthenticationError,
  challengeOf,
  Commonplace,
  InvalidResponseError,
  memoryStorage,
  SignInError,
  webStorage,
  type Tokens,
} from '../../clients/typescript/src';
import { StubServer, type Received, type Reply } from './stub-server';
import { INVALID, issued, isToken, REJECTED, tokens } from './token-fixtures';

let stub: StubServer;
let baseUrl: string;
beforeEach(async () => {
  stub = new StubServer();
  baseUrl = await stub.open();
});
afterEach(() => stub.close());

/** Issues tokens 1, 2 and so on, and accepts the access tokens that are in `valid`. */
function serveTokens(valid: Set<string>): void {
  let count = 0;
  stub.reply = (request) => {
    if (isToken(request)) {
      count += 1;
      return issued(tokens(String(count)));
    }
    const [, sent = ''] = (request.headers.authorization ?? '').split(' ');
    return valid.has(sent) ? { json: { id: '1' } } : INVALID;
  };
}

const read = (api: Commonplace) => api.get('/v2/note/{id}', { path: { id: '1' } });

describe('refresh', () => {
  it('does not replace the tokens of a user who signs in meanwhile', async () => {
    const storage = memoryStorage(tokens('old', 0));
    const responses: ((name: string) => void)[] = [];
    const fetch = (): Promise<Response> =>
      new Promise((resolve) => {
        responses.push((name) => {
          resolve(Response.json({ ...tokens(name), expires_in: 3600 }));
        });
      });
    const api = new Commonplace({ baseUrl, clientId: 'app', storage, fetch });
    const pending = await api.prepareSignIn('https://app.example/');
    const refreshed = api.currentTokens();
    await new Promise(setImmediate);
    const signedIn = api.finishSignIn(
      `https://app.example/?code=c&state=${pending.state}`,
      pending,
    );
    await new Promise(setImmediate);
    // A sign-in that did not wait would be stored first.
    responses[1]?.('other');
    await new Promise(setImmediate);
    responses[0]?.('1');
    await refreshed;
    await new Promise(setImmediate);
    responses[1]?.('other');
    expect((await signedIn).access_token).toBe('access-other');
    expect((await storage.get())?.access_token).toBe('access-other');
  });

  it('happens once for parallel requests with an expired token', async () => {
    serveTokens(new Set(['access-1']));
    const storage = memoryStorage(tokens('old', 1000));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    await Promise.all([read(api), read(api), read(api)]);
    const requests = stub.received.filter(isToken).map(({ body }) => new URLSearchParams(body));
    expect(requests.map((sent) => Object.fromEntries(sent))).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'refresh-old', client_id: 'app' },
    ]);
    expect((await storage.get())?.refresh_token).toBe('refresh-1');
  });

  it('is not repeated after its response was lost, because a refresh token is valid once', async () => {
    stub.reply = (request) => (isToken(request) ? { broken: true } : INVALID);
    const storage = memoryStorage(tokens('old', 1000));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    await expect(read(api)).rejects.toThrow();
    const requests = stub.received.filter(isToken);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it('is repeated only after 429: after 503 the service may have used the refresh token', async () => {
    const NOW = { 'Retry-After': '0' };
    const storage = memoryStorage(tokens('old', 0));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    stub.reply = (_request, count) => ({ status: count === 1 ? 429 : 503, headers: NOW });
    await expect(api.currentTokens()).rejects.toMatchObject({ status: 503 });
    expect(stub.received.map(isToken)).toEqual([true, true]);
  });

  it('happens once for parallel requests whose token is rejected, which are then repeated', async () => {
    serveTokens(new Set(['access-1']));
    const storage = memoryStorage(tokens('revoked'));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    const notes = await Promise.all([read(api), read(api), read(api)]);
    expect(notes).toHaveLength(3);
    expect(stub.received.filter(isToken)).toHaveLength(1);
  });

  it('keeps the key of a POST, so that a write with a lost response is not executed again', async () => {
    const storage = memoryStorage(tokens('old'));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    serveTokens(new Set(['access-1']));
    const { reply } = stub;
    stub.reply = (request, count) => (count === 1 ? { broken: true } : reply(request, count));
    await api.post('/v2/notes', { body: { title: 'A', content: 'B' } });
    const writes = stub.received.filter(({ path }) => path === '/v2/notes');
    expect(writes).toHaveLength(3);
    const keys = new Set(writes.map(({ headers }) => headers['idempotency-key']));
    expect([keys.size, typeof [...keys][0]]).toEqual([1, 'string']);
  });

  const ISSUED = issued(tokens('1'));
  it.each([
    ['is rejected', 'another sign-in', REJECTED, tokens('other')],
    ['succeeds', 'another sign-in', ISSUED, tokens('other')],
    ['succeeds', 'a sign-in of another user', ISSUED, tokens('other', undefined, '2')],
    ['succeeds', 'a sign-out', ISSUED, undefined],
  ])('that %s keeps %s of another client meanwhile', async (_, _change, reply, stored) => {
    const storage = memoryStorage(tokens('old', 0));
    stub.reply = async () => {
      await storage.set(stored);
      return reply;
    };
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    expect(await api.currentTokens()).toEqual(stored);
    expect(await storage.get()).toEqual(stored);
    // Tokens that nobody keeps are revoked.
    const revoked = stub.received.filter(({ path }) => path === '/service/auth2/revoke');
    expect(revoked).toHaveLength(reply === ISSUED ? 1 : 0);
  });

  it('sends no secret to the address of a redirect', async () => {
    const other = new StubServer();
    const location = `${await other.open()}/service/auth2/token`;
    stub.reply = () => ({ status: 307, headers: { location } });
    const storage = memoryStorage(tokens('old', 0));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    await expect(read(api)).rejects.toBeInstanceOf(InvalidResponseError);
    expect(await storage.get()).toBeDefined();
    await new Commonplace({ baseUrl, clientId: 'app', storage: memoryStorage(tokens('old')) })
      .signOut()
      .catch(() => undefined);
    expect(other.received).toEqual([]);
    other.close();
  });

  it('that is rejected signs the user out', async () => {
    stub.reply = (request) => (isToken(request) ? REJECTED : INVALID);
    const storage = memoryStorage(tokens('revoked'));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    await expect(read(api)).rejects.toBeInstanceOf(AuthenticationError);
    expect(await storage.get()).toBeUndefined();
  });

  it.each<[string, Reply, unknown]>([
    ['500', { status: 500, json: {} }, expect.objectContaining({ status: 500 })],
    [
      '400',
      { status: 400, json: { code: 108, error: 'invalid_client' } },
      expect.objectContaining({ code: 108 }),
    ],
    ['401', { status: 401, json: null }, expect.objectContaining({ status: 401, code: 0 })],
    ['a page', { text: '<html>' }, expect.any(InvalidResponseError)],
    ['no token', { json: null }, expect.any(InvalidResponseError)],
    ['no expiry', { json: { access_token: 'a' } }, expect.any(InvalidResponseError)],
  ])('that fails for another reason (%s) keeps the tokens', async (_, reply, expected) => {
    stub.reply = () => reply;
    const storage = memoryStorage(tokens('old', 0));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage, retries: 0 });
    const error: unknown = await read(api).catch((reason: unknown) => reason);
    expect(error).toEqual(expected);
    expect((await storage.get())?.refresh_token).toBe('refresh-old');
  });

  it('keeps the new tokens in memory if the storage is full', async () => {
    serveTokens(new Set(['access-1']));
    const full = {
      get: () => tokens('old', 0),
      set: () => {
        throw new Error('the quota is exceeded');
      },
    };
    const api = new Commonplace({ baseUrl, clientId: 'app', storage: full });
    for (let count = 0; count < 2; count += 1) expect(await read(api)).toEqual({ id: '1' });
    expect(stub.received.filter(isToken)).toHaveLength(1);
    expect((await api.currentTokens())?.refresh_token).toBe('refresh-1');
    stub.reply = () => ({});
    await expect(api.signOut()).rejects.toThrow('the quota is exceeded');
    expect(stub.received.at(-1)).toMatchObject({
      path: '/service/auth2/revoke',
      body: 'token=refresh-1&client_id=app',
    });
  });

  it('uses a change of the storage rather than tokens that it could not store', async () => {
    serveTokens(new Set(['access-1']));
    let stored: Tokens | undefined = tokens('old', 0);
    const storage = {
      get: () => stored,
      set: () => {
        throw new Error('the quota is exceeded');
      },
    };
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    expect((await api.currentTokens())?.refresh_token).toBe('refresh-1');
    // Another tab has signed out.
    stored = undefined;
    expect(await api.currentTokens()).toBeUndefined();
  });

  it('requests a new token of the application itself', async () => {
    serveTokens(new Set(['access-2']));
    const api = new Commonplace({ baseUrl, clientId: 'app', clientSecret: 's', retries: 0 });
    stub.reply = ((serve) => (request: Received, count: number) => {
      const reply = serve(request, count) as Reply & { json: Record<string, unknown> };
      const { refresh_token: _, user_id: __, ...own } = reply.json;
      return isToken(request) ? { json: { ...own, scope: 'book_basic_r' } } : reply;
    })(stub.reply);
    await api.authenticate(['book_basic_r']);
    await read(api);
    expect(stub.received.filter(isToken).map(({ body }) => body)).toEqual([
      'grant_type=client_credentials&scope=book_basic_r&client_id=app&client_secret=s',
      'grant_type=client_credentials&scope=book_basic_r&client_id=app&client_secret=s',
    ]);
  });
});

describe('sign-in', () => {
  it('challenges with S256, as in RFC 7636, appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('sends the verifier of the request whose state the response has', async () => {
    serveTokens(new Set());
    const api = new Commonplace({ baseUrl, clientId: 'app' });
    const pending = await api.prepareSignIn('https://app.example/back', ['book_basic_r']);
    const query = new URL(pending.url).searchParams;
    expect(Object.fromEntries(query)).toEqual({
      ...{ response_type: 'code', client_id: 'app', redirect_uri: 'https://app.example/back' },
      ...{ scope: 'book_basic_r', state: pending.state, code_challenge_method: 'S256' },
      code_challenge: await challengeOf(pending.verifier),
    });
    const back = `https://app.example/back?code=c1&state=${pending.state}`;
    expect(await api.finishSignIn(back, pending)).toMatchObject({ access_token: 'access-1' });
    expect(Object.fromEntries(new URLSearchParams(stub.received[0]?.body))).toEqual({
      ...{ grant_type: 'authorization_code', code: 'c1', client_id: 'app' },
      ...{ redirect_uri: 'https://app.example/back', code_verifier: pending.verifier },
    });
  });

  it('fails for another state, and when the user denies access', async () => {
    const api = new Commonplace({ baseUrl, clientId: 'app' });
    const pending = await api.prepareSignIn('https://app.example/back');
    const finish = (query: string) => async () =>
      api.finishSignIn(`https://app.example/back?${query}`, pending);
    await expect(finish('code=c1&state=other')).rejects.toBeInstanceOf(SignInError);
    await expect(finish(`error=access_denied&state=${pending.state}`)).rejects.toThrow(
      'access_denied',
    );
    expect(stub.received).toEqual([]);
  });
});

describe('sign-out', () => {
  it('revokes and deletes the tokens of a Web Storage', async () => {
    const kept = new Map<string, string>();
    const storage = webStorage({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    });
    await storage.set(tokens('old'));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    expect(await api.currentTokens()).toMatchObject({ access_token: 'access-old' });
    await api.signOut();
    expect(stub.received[0]).toMatchObject({
      path: '/service/auth2/revoke',
      body: 'token=refresh-old&client_id=app',
    });
    expect([kept.size, await api.currentTokens()]).toEqual([0, undefined]);
    kept.set('commonplace', '{');
    expect(await api.currentTokens()).toBeUndefined();
  });

  it('during a refresh revokes the new tokens, and stores none', async () => {
    const storage = memoryStorage(tokens('old', 0));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    let leaving: Promise<void> | undefined;
    stub.reply = (request) => {
      if (!isToken(request)) return {};
      leaving = api.signOut();
      return issued(tokens('1'));
    };
    await api.currentTokens();
    await leaving;
    expect(await storage.get()).toBeUndefined();
    expect(stub.received.map(({ path }) => path)).toEqual([
      '/service/auth2/token',
      '/service/auth2/revoke',
    ]);
    expect(stub.received[1]?.body).toBe('token=refresh-1&client_id=app');
  });

  it('before a refresh leaves nothing to refresh', async () => {
    stub.reply = () => ({});
    const storage = memoryStorage(tokens('old', 0));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    await Promise.all([api.signOut(), api.currentTokens()]);
    expect(await storage.get()).toBeUndefined();
    expect(stub.received.map(({ path }) => path)).toEqual(['/service/auth2/revoke']);
  });
});
