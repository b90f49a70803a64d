import { Factories } from '../../factories/factories';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itNeedsScope,
  itRefusesMalformedPages,
  itSelectsFields,
  UNKNOWN_IDS,
} from '../guarantees';
import { membersOf, TAG } from './shapes';

describe('GET /v2/book/user_tags/:id', () => {
  let harness: Harness;
  let make: Factories;
  let user: number;
  let token: string;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    user = (await make.aUser({ uid: 'tagger' })).id;
    const tags = Array.from({ length: 105 }, (_, at) => `标签${at}`);
    await make.aCollection({ user_id: user, tags });
    token = await harness.token({ scopes: ['service_basic_common'] });
  });
  afterAll(() => harness.close());

  const get = (id: number | string, as?: string): Promise<TestResponse> =>
    harness.call(`/v2/book/user_tags/${id}`, { token: as });
  const list = () => ({
    harness,
    path: `/v2/book/user_tags/${user}`,
    member: 'tags',
    total: 105,
    token,
  });

  describe('200', () => {
    itIsPaged(list);

    it('is the same as /v2/book/user/:name/tags', async () => {
      const { id } = await make.aUser();
      await make.aCollection({ user_id: id, tags: ['often', 'b'] });
      await make.aCollection({ user_id: id, tags: ['often', 'a'] });
      const { status, body } = await get(id, token);
      expect(status).toBe(200);
      expect(membersOf(body.tags[0])).toEqual(TAG);
      expect(body).toEqual((await harness.call(`/v2/book/user/${id}/tags`)).body);
      expect(body).toEqual({
        start: 0,
        count: 3,
        total: 3,
        tags: [
          { count: 2, title: 'often' },
          { count: 1, title: 'a' },
          { count: 1, title: 'b' },
        ],
      });
    });

    it('shows tags of private collections to their owner only (D21)', async () => {
      const { user_id } = await make.aCollection({ tags: ['secret'], privacy: 'private' });
      expect((await get(user_id, token)).body).toMatchObject({ total: 0, tags: [] });
      const own = await harness.token({ userId: user_id, scopes: ['service_basic_common'] });
      expect((await get(user_id, own)).body.tags).toEqual([{ count: 1, title: 'secret' }]);
    });

    it('has the headers Deprecation, Sunset and Link to its successor (section 9)', async () => {
      const { headers } = await get(user, token);
      // RFC 9745: a structured-field date; RFC 8594: an HTTP date.
      const deprecation = String(headers.get('deprecation'));
      expect(deprecation).toMatch(/^@\d{9,10}$/);
      expect(Number(deprecation.slice(1)) * 1000).toBeLessThanOrEqual(Date.now());
      const sunset = String(headers.get('sunset'));
      expect(new Date(sunset).toUTCString()).toBe(sunset);
      expect(new Date(sunset).getTime()).toBeGreaterThan(Number(deprecation.slice(1)) * 1000);
      expect(headers.get('link')).toBe(`</v2/book/user/${user}/tags>; rel="successor-version"`);
    });

    it('the successor has no Deprecation header', async () => {
      const { headers } = await get(user, token);
      const successor = /^<([^>]+)>/.exec(String(headers.get('link')))?.[1];
      const response = await harness.call(String(successor), { token: await harness.token() });
      expect(response.status).toBe(200);
      for (const name of ['deprecation', 'sunset']) expect(response.headers.get(name)).toBeNull();
    });

    itSelectsFields(() => ({ ...list(), members: TAG, two: ['title', 'count'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });

  describe('403', () => {
    it('requires a token: anonymous callers get WWW-Authenticate (D12)', async () => {
      const responses = [await get(user), await get(999999999)];
      const headers = { authorization: 'Bearer' };
      responses.push(await harness.call(`/v2/book/user_tags/${user}`, { headers }));
      for (const response of responses) {
        expectError(response, 403, 1000, 'need_permission');
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
        expect(response.headers.get('www-authenticate')).not.toContain('error=');
      }
    });
    it('rejects an apikey instead of a token (D15)', async () => {
      const applications = await harness.source.query<{ client_id: string }[]>(
        'SELECT client_id FROM applications',
      );
      const key = String(applications[0]?.client_id);
      expect((await harness.call(`/v2/book/user/${user}/tags?apikey=${key}`)).status).toBe(200);
      expectError(await get(`${user}?apikey=${key}`), 403, 1000, 'need_permission');
    });
    it('rejects book_basic_r instead of service_basic_common', async () => {
      const reader = await harness.token({ scopes: ['book_basic_r', 'book_basic_w'] });
      const response = await get(user, reader);
      expectError(response, 403, 1000, 'need_permission');
      expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    });
    itNeedsScope('service_basic_common', () => ({ harness, path: `/v2/book/user_tags/${user}` }));
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 6008 for the unknown user %s', async (id) => {
      expectError(await get(id, token), 404, 6008, 'people_not_found');
    });
    it('returns 1001 for a uid, which is not a valid :id (section 1)', async () => {
      expectError(await get('tagger', token), 404, 1001, 'uri_not_found');
    });
  });
});
