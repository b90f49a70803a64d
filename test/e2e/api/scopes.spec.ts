import { type SCOPES } from '../../../src/api/access/access';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { AccessController } from './probe.access';
import { probing } from './probe.module';

/** Endpoint, its scope, and whether anonymous callers are let in (D12). */
const ENDPOINTS: readonly (readonly [string, string, (typeof SCOPES)[number], boolean])[] = [
  ['GET', 'book', 'book_basic_r', true],
  ['HEAD', 'book', 'book_basic_r', true],
  ['GET', 'event', 'event_basic_r', true],
  ['GET', 'movie', 'movie_basic_r', true],
  ['POST', 'book', 'book_basic_r', false],
  ['GET', 'common', 'service_basic_common', false],
  ['GET', 'note', 'community_basic_note', false],
  ['POST', 'write', 'book_basic_w', false],
  ['DELETE', 'write', 'event_basic_w', false],
];
const OPEN = ENDPOINTS.filter(([, , , open]) => open);
const CLOSED = ENDPOINTS.filter(([, , , open]) => !open);

describe('scopes', () => {
  let harness: Harness;
  let userId: number;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(AccessController) });
    ({ id: userId } = await new Factories(harness.database).aUser());
  });
  afterAll(() => harness.close());

  describe('anonymous callers (D12)', () => {
    it.each(OPEN)('%s %s is allowed (%s)', async (method, path) => {
      expect((await harness.call(`/v2/probe/${path}`, { method })).status).toBe(200);
    });

    it.each(CLOSED)('%s %s returns 1000 and WWW-Authenticate (%s)', async (method, path) => {
      const { status, body, headers } = await harness.call(`/v2/probe/${path}`, { method });
      const request = `${method} /v2/probe/${path}`;
      expect(status).toBe(403);
      expect(body).toEqual({ msg: 'need_permission', code: 1000, request });
      expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      expect(headers.get('www-authenticate')).not.toContain('error=');
    });

    it.each(['', 'Bearer', 'Bearer ', 'bearer', '   '])(
      'include those with the header "%s"',
      async (authorization) => {
        const options = { headers: { authorization } };
        const { status, body } = await harness.call('/v2/probe/book', options);
        expect(status).toBe(200);
        expect(body).toEqual({ application: null, user: null, hasToken: false });
        expect((await harness.call('/v2/probe/common', options)).body.code).toBe(1000);
      },
    );
  });

  describe('callers with a token (D13)', () => {
    it.each(ENDPOINTS)('%s %s is allowed with its scope %s', async (method, path, scope) => {
      const token = await harness.token({ userId, scopes: [scope] });
      const { status } = await harness.call(`/v2/probe/${path}`, { method, token });
      expect(status).toBe(method === 'POST' && path === 'write' ? 201 : 200);
    });

    it.each(ENDPOINTS)('%s %s is rejected without the scope %s', async (method, path, scope) => {
      const scopes = ENDPOINTS.map(([, , other]) => other).filter((other) => other !== scope);
      const token = await harness.token({ userId, scopes });
      const { status, text, headers } = await harness.call(`/v2/probe/${path}`, { method, token });
      expect(status).toBe(403);
      if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ code: 1000 });
      expect(headers.get('www-authenticate')).toMatch(/^Bearer\b.*error="insufficient_scope"/);
    });

    it('are passed to the endpoint: application and user', async () => {
      const token = await harness.token({ userId });
      const { body } = await harness.call('/v2/probe/common', { token });
      expect(body).toEqual({ application: expect.any(String), user: userId, hasToken: true });
    });

    it('are passed to public endpoints, which require no scope', async () => {
      const token = await harness.token({ userId, scopes: [] });
      expect((await harness.call('/v2/probe/open', { token })).body).toMatchObject({
        user: userId,
      });
      expect((await harness.call('/v2/probe/open')).status).toBe(200);
    });
  });

  describe('login', () => {
    it.each([
      ['POST', 'write'],
      ['GET', 'note'],
    ])('%s %s needs a user, not only an application', async (method, path) => {
      const token = await harness.token();
      const { status, body } = await harness.call(`/v2/probe/${path}`, { method, token });
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 1000, msg: 'need_permission' });
    });

    it('is not required where only a scope is', async () => {
      const token = await harness.token();
      expect((await harness.call('/v2/probe/common', { token })).body.user).toBeNull();
    });
  });

  describe('a lost approval (D15)', () => {
    it.each(ENDPOINTS.filter(([, , scope]) => scope !== 'community_basic_note'))(
      '%s %s returns 403',
      async (method, path, scope) => {
        const token = await harness.token({ userId, scopes: [scope], approved: [] });
        const { status, text } = await harness.call(`/v2/probe/${path}`, { method, token });
        expect(status).toBe(403);
        if (method !== 'HEAD') {
          expect(JSON.parse(text)).toMatchObject({ code: 1000, msg: 'need_permission' });
        }
      },
    );

    it('returns 404, code 1001, for routes of notes', async () => {
      const scopes = ['community_basic_note'];
      const token = await harness.token({ userId, scopes, approved: ['book_basic_r'] });
      const { status, body } = await harness.call('/v2/probe/note', { token });
      expect(status).toBe(404);
      expect(body).toEqual({ msg: 'uri_not_found', code: 1001, request: 'GET /v2/probe/note' });
    });
  });
});

describe('GET /v2/book/:id/collection without user_id (D12)', () => {
  let harness: Harness;
  let bookId: number;
  beforeAll(async () => {
    harness = await startHarness();
    bookId = await new Factories(harness.database).aBook();
  });
  afterAll(() => harness.close());

  it.each(['anonymous', 'an application'])('needs a user, and %s is none', async (caller) => {
    const token = caller === 'anonymous' ? undefined : await harness.token();
    const { status, body, headers } = await harness.call(`/v2/book/${bookId}/collection`, {
      token,
    });
    expect(status).toBe(403);
    expect(body.code).toBe(1000);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });
});
