import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Factories } from '../../factories/factories';

const BOOK = '/v2/book/1';

let harness: Harness;
let token: string;
beforeAll(async () => {
  harness = await startHarness({
    settings: { LIMIT_USER_L1: '1000', LIMIT_ADDRESS: '1000', LIMIT_ANONYMOUS: '1000' },
  });
  await harness.app.get(SampleService, { strict: false }).load();
  const { id: userId } = await new Factories(harness.database).aUser();
  token = await harness.token({ userId });
});
afterAll(() => harness.close());

const tagOf = ({ headers }: TestResponse): string => String(headers.get('etag'));

/** Calls with the tag of an earlier response. */
const again = (path: string, tag: string, more = {}): Promise<TestResponse> =>
  harness.call(path, { headers: { 'if-none-match': tag }, ...more });

const remaining = ({ headers }: TestResponse): (string | null)[] =>
  ['', '2'].map((suffix) => headers.get(`x-ratelimit-remaining${suffix}`));

describe('If-None-Match', () => {
  it('returns 304 without a body when the ETag matches', async () => {
    const first = await harness.call(BOOK);
    expect(tagOf(first)).toMatch(/^"[\w-]{22}"$/);
    for (const condition of [tagOf(first), `W/${tagOf(first)}`, `"x", ${tagOf(first)}`, '*']) {
      const { status, text, headers } = await again(BOOK, condition);
      expect([condition, status, text]).toEqual([condition, 304, '']);
      expect(headers.get('etag')).toBe(tagOf(first));
      expect(headers.get('vary')).toBe('Authorization, Accept-Encoding');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.has('content-type')).toBe(false);
      expect(headers.has('x-request-id')).toBe(true);
    }
    expect((await again(BOOK, '"x"')).status).toBe(200);
  });

  // Requests with HEAD are not served by the fast lane.
  it.each(['GET', 'HEAD'])(
    'returns 304 to %s without security headers, but with those of CORS',
    async (method) => {
      const first = await harness.call(BOOK, { method });
      const { status, headers } = await again(BOOK, tagOf(first), { method });
      expect(status).toBe(304);
      expect(first.headers.has('content-security-policy')).toBe(true);
      for (const name of ['content-security-policy', 'x-content-type-options', 'x-frame-options'])
        expect([name, headers.has(name)]).toEqual([name, false]);
      for (const name of ['access-control-allow-origin', 'access-control-expose-headers'])
        expect([name, headers.get(name)]).toEqual([name, first.headers.get(name)]);
    },
  );

  it('returns 304 for HEAD as for GET', async () => {
    const { headers } = await harness.call(BOOK, { method: 'HEAD' });
    const { status } = await again(BOOK, String(headers.get('etag')), { method: 'HEAD' });
    expect(status).toBe(304);
  });

  it('a 304 counts for the limit of the address, not of the user (D47)', async () => {
    const first = await harness.call(BOOK, { token });
    const [user, address] = remaining(first).map(Number);
    const unchanged = await again(BOOK, tagOf(first), { token });
    expect(unchanged.status).toBe(304);
    expect(remaining(unchanged)).toEqual([String(user), String(Number(address) - 1)]);
    const { headers } = await harness.call('/v2/rate_limit', { token });
    expect(headers.get('x-ratelimit-remaining')).toBe(String(user));
  });

  it('a 304 counts for the limit of an anonymous caller (D47)', async () => {
    const first = await harness.call(BOOK);
    const unchanged = await again(BOOK, tagOf(first));
    expect(remaining(unchanged)[0]).toBe(String(Number(remaining(first)[0]) - 1));
  });

  it('errors have no ETag, and writes ignore If-None-Match', async () => {
    const missing = await again('/v2/book/999999', '*');
    expect([missing.status, missing.headers.has('etag')]).toEqual([404, false]);
    const written = await harness.call('/v2/book/2/collection', {
      method: 'POST',
      token,
      headers: { 'if-none-match': '*' },
      body: new URLSearchParams({ status: 'wish' }),
    });
    expect([written.status, written.headers.has('etag')]).toEqual([201, false]);
  });
});

describe('ETag', () => {
  it('changes if and only if the body does', async () => {
    const query = ['', '?fields=id', '?fields=id,title', '?callback=f', '?callback=g', '?count=1'];
    const paths = ['/v2/book/1', '/v2/book/2', '/v2/movie/subject/1001', '/v2/book/1/annotations'];
    const tags = new Map<string, string>();
    const check = (response: TestResponse): void => {
      expect(response.status).toBe(200);
      const earlierTag = tags.get(response.text);
      if (earlierTag === undefined) expect([...tags.values()]).not.toContain(tagOf(response));
      else expect(tagOf(response)).toBe(earlierTag);
      tags.set(response.text, tagOf(response));
    };
    const readAll = async (): Promise<void> => {
      for (const path of paths) {
        for (const more of query) {
          for (const caller of [{}, { token }]) check(await harness.call(path + more, caller));
        }
      }
    };
    await readAll();
    const before = tags.size;
    const { status } = await harness.call('/v2/book/1/collection', {
      method: 'POST',
      token,
      body: new URLSearchParams({ status: 'read', rating: '5' }),
    });
    expect(status).toBe(201);
    await readAll();
    expect(tags.size).toBeGreaterThan(before);
  });
});
