import { startHarness, type Harness } from '../../harness';
import { formBody } from './browser';
import { aClient, callAs, refused, TOKEN, type TestClient } from './flows';

const ENDPOINTS = [TOKEN, '/service/auth2/revoke', '/service/auth2/introspect'];

let harness: Harness;
let client: TestClient;
let open: TestClient;

beforeAll(async () => {
  harness = await startHarness();
  client = await aClient(harness);
  open = await aClient(harness, { isPublic: true });
});
afterAll(() => harness.close());

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** The errors of RFC 6749, section 5.2, and the service's own numbers for them (D18). */
const MISSING = (path: string) =>
  refused('invalid_request', 113, 'required_parameter_is_missing', `POST ${path}`);
const MISMATCH = (path: string) =>
  refused('invalid_client', 116, 'client_secret_mismatch', `POST ${path}`);

/** Introspection requires authentication (RFC 7662, section 2.3). */
const NO_CLIENT = (path: string) =>
  path.endsWith('introspect') ? ([401, MISMATCH(path)] as const) : ([400, MISSING(path)] as const);

describe.each(ENDPOINTS)('%s', (path) => {
  const post = (fields: Record<string, string | string[]>, headers: Record<string, string> = {}) =>
    harness.call(path, { method: 'POST', headers, body: formBody(fields) });

  it('requires client authentication: 113 or 116', async () => {
    const { status, body } = await post({ grant_type: 'client_credentials', token: 'x' });
    expect([status, body]).toEqual(NO_CLIENT(path));
  });

  it('rejects wrong client credentials: 401, 116', async () => {
    const { clientId: client_id, secret = '' } = client;
    const wrong: readonly Record<string, string>[] = [
      { client_id, client_secret: 'wrong' },
      { client_id, client_secret: secret.slice(1) },
      { client_id, client_secret: `${secret} ` },
      { client_id },
      { client_id: 'nobody', client_secret: secret },
      { client_id: `${client_id}\u0000`, client_secret: secret },
      { client_id: open.clientId, client_secret: secret },
    ];
    for (const fields of wrong) {
      const { status, body, headers } = await post({ grant_type: 'client_credentials', ...fields });
      expect([status, body]).toEqual([401, MISMATCH(path)]);
      expect(headers.get('pragma')).toBe('no-cache');
    }
  });

  it('responds with a Basic challenge to a client that used Basic (RFC 6749, section 5.2)', async () => {
    for (const headers of [
      basic(client.clientId, 'wrong'),
      basic('nobody', 'x'),
      basic('', 'x'),
      basic('%zz', '%zz'),
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: 'Bearer cpat_x' },
      { authorization: 'x' },
    ]) {
      const response = await post({ grant_type: 'client_credentials', token: 'x' }, headers);
      expect([response.status, response.body]).toEqual([401, MISMATCH(path)]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
    }
  });

  it('rejects two methods of client authentication: 113', async () => {
    const { clientId, secret = '' } = client;
    const headers = basic(clientId, secret);
    const second: readonly Record<string, string>[] = [
      { client_secret: secret },
      { client_id: open.clientId },
    ];
    for (const fields of second) {
      const { status, body } = await post({ token: 'x', ...fields }, headers);
      expect([status, body]).toEqual([400, MISSING(path)]);
    }
  });

  it('reads no credentials from the query', async () => {
    const { clientId: client_id, secret: client_secret = '' } = client;
    const all = { client_id, client_secret, grant_type: 'client_credentials', token: 'x' };
    const query = new URLSearchParams(all).toString();
    const none = await harness.call(`${path}?${query}`, { method: 'POST' });
    expect([none.status, none.body]).toEqual(NO_CLIENT(path));
    const half = await harness.call(`${path}?${query}`, {
      method: 'POST',
      body: formBody({ client_id, grant_type: 'client_credentials', token: 'x' }),
    });
    expect([half.status, half.body]).toEqual([401, MISMATCH(path)]);
  });

  it.each(['client_id', 'client_secret', 'grant_type', 'token', 'scope'])(
    'takes %s once: 113',
    async (name) => {
      const { clientId: client_id, secret: client_secret = '' } = client;
      const fields = { client_id, client_secret, grant_type: 'client_credentials', token: 'x' };
      const { status, body } = await post({ ...fields, [name]: ['x', 'x'] });
      expect([status, body]).toEqual([400, MISSING(path)]);
    },
  );

  it('reports an unreadable body in both error formats: 999', async () => {
    for (const [type, body] of [
      ['application/json', '{"grant_type"'],
      ['application/json', '[]'],
      ['application/x-www-form-urlencoded', 'client_id=%ff'],
      ['application/x-www-form-urlencoded; charset=gbk', 'client_id=x'],
      ['multipart/form-data; boundary=x', 'y'],
      ['text/plain', 'client_id=x'],
      ['application/x-www-form-urlencoded', `client_id=${'x'.repeat(1_100_000)}`],
    ] as const) {
      const response = await harness.call(path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      expect([response.status, response.body]).toEqual([
        400,
        refused('invalid_request', 999, 'unknow_v2_error', `POST ${path}`),
      ]);
    }
  });

  it('accepts JSON (D8) whose members are strings', async () => {
    const { clientId: client_id, secret: client_secret } = client;
    const call = (members: object) =>
      harness.call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(members),
      });
    const good = { client_id, client_secret, grant_type: 'client_credentials', token: 'x' };
    expect((await call(good)).status).toBe(200);
    for (const odd of [{ client_secret: [client_secret] }, { client_id: {} }, { client_id: 1 }]) {
      const { status, body } = await call({ ...good, ...odd });
      expect([status, body]).toEqual([400, MISSING(path)]);
    }
  });

  it.each(['GET', 'PUT', 'DELETE'])('rejects %s: 1014', async (method) => {
    const { status, body, headers } = await harness.call(path, { method });
    expect([status, body.code, headers.get('allow')]).toEqual([400, 1014, 'POST']);
  });

  it('has the members of RFC 9457 when the client accepts them', async () => {
    const { status, body, headers } = await post({}, { accept: 'application/problem+json' });
    const [expected, members] = NO_CLIENT(path);
    expect([status, headers.get('content-type')]).toEqual([
      expected,
      'application/problem+json; charset=utf-8',
    ]);
    expect(body).toEqual({
      ...members,
      type: expect.any(String),
      title: expect.any(String),
      status: expected,
      detail: expect.any(String),
    });
  });
});

describe('grant types', () => {
  const UNSUPPORTED = refused('unsupported_grant_type', 114, 'unsupported_grant_type');

  it.each([
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'Authorization_Code',
    'constructor',
  ])('do not include %s: 114', async (grant_type) => {
    const fields = { grant_type, username: 'ann', password: 'correct horse battery' };
    const { status, body } = await callAs(harness, client, TOKEN, fields);
    expect([status, body]).toEqual([400, UNSUPPORTED]);
  });

  it('are required: 113', async () => {
    const { status, body } = await callAs(harness, client, TOKEN, {});
    expect([status, body]).toEqual([400, MISSING(TOKEN)]);
  });
});

describe('client credentials', () => {
  const own = (application: TestClient, scope = '') =>
    callAs(harness, application, TOKEN, { grant_type: 'client_credentials', scope });
  const SCOPE = refused('invalid_scope', 125, 'invalid_request_scope');

  it('issue a token of the application that reads only data without an owner', async () => {
    const all = ['book_basic_r', 'book_basic_w', 'community_basic_note', 'movie_advance_r'];
    const application = await aClient(harness, { scopes: [...all, 'event_basic_r'] });
    const { status, body } = await own(application);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 7 * 86400,
        scope: 'book_basic_r event_basic_r movie_advance_r',
      },
    ]);
    const token = body.access_token;
    const needsUser = await harness.call('/v2/book/0/collection', { token });
    expect([needsUser.status, needsUser.body.code]).toEqual([403, 1000]);
    expect((await harness.call('/v2/book/0', { token })).body.code).toBe(6000);
  });

  it.each(['book_basic_r,event_basic_r', 'book_basic_r event_basic_r'])(
    'take scopes by comma or space: "%s"',
    async (scope) => {
      expect((await own(client, scope)).body.scope).toBe('book_basic_r event_basic_r');
    },
  );

  it.each([
    'book_basic_w',
    'service_basic_common',
    'community_basic_note',
    'event_basic_w',
    'movie_advance_r',
    'book_basic_r book_basic_w',
    'everything',
    '"',
  ])('give no %s: 125', async (scope) => {
    const { status, body } = await own(client, scope);
    expect([status, body]).toEqual([400, SCOPE]);
  });

  it('are rejected for an application without approvals: 125', async () => {
    const { status, body } = await own(await aClient(harness, { scopes: ['book_basic_w'] }));
    expect([status, body]).toEqual([400, SCOPE]);
  });

  it('are rejected for public clients: 114', async () => {
    const { status, body } = await own(open);
    expect([status, body]).toEqual([
      400,
      refused('unauthorized_client', 114, 'unsupported_grant_type'),
    ]);
  });
});
