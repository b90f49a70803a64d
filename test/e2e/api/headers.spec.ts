import { startHarness, type Harness } from '../../harness';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A probe, the interface, an error, a file. Pages have headers of their own. */
const PATHS = ['/readyz', '/v2/openapi.json', '/v2/book/0', '/pictures/sample/default/book-m.jpg'];

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('X-Request-Id', () => {
  const idOf = async (requestId?: string, path = '/docs') => {
    const headers: Record<string, string> =
      requestId === undefined ? {} : { 'x-request-id': requestId };
    return (await harness.call(path, { headers })).headers.get('x-request-id');
  };

  it.each(PATHS)('is generated for each request: %s', async (path) => {
    const [one, other] = [await idOf(undefined, path), await idOf(undefined, path)];
    expect(one).toMatch(UUID);
    expect(other).toMatch(UUID);
    expect(one).not.toBe(other);
  });

  it.each(['a', 'Req-1_2.3', '0'.repeat(64), '4bf92f3577b34da6a3ce929d0e0e4736'])(
    '"%s" is valid and echoed',
    async (id) => {
      expect(await idOf(id)).toBe(id);
    },
  );

  it.each(['a b', 'a,b', '<script>', '"quoted"', '0'.repeat(65), '\u00e9', '{}', '../etc', 'a=1'])(
    '"%s" is invalid and replaced',
    async (id) => {
      expect(await idOf(id)).toMatch(UUID);
    },
  );
});

describe('security headers', () => {
  it.each(PATHS)('are on every response: %s', async (path) => {
    const { headers } = await harness.call(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toMatch(/^(DENY|SAMEORIGIN)$/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });

  it.each(PATHS)('allow embedding by other sites: %s', async (path) => {
    const { headers } = await harness.call(path);
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });
});

describe('CORS', () => {
  const origin = 'https://partner.example';

  it.each(PATHS)('allows any origin, without credentials: %s', async (path) => {
    const { headers } = await harness.call(path, { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('exposes the headers of limits, request id and error detail', async () => {
    const { headers } = await harness.call('/v2/book/0', { headers: { origin } });
    const exposed = headers.get('access-control-expose-headers')?.split(/,\s*/);
    expect(exposed).toEqual(
      expect.arrayContaining([
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Limit2',
        'X-RateLimit-Remaining2',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Request-Id',
        'X-Error-Detail',
      ]),
    );
  });

  it.each(['/v2/book/1', '/v2/book/1/collection', '/v2/nowhere'])(
    'allows every method and the token in a preflight of %s',
    async (path) => {
      const { status, text, headers } = await harness.call(path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
      expect([status, text]).toEqual([204, '']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const methods = headers.get('access-control-allow-methods')?.split(/,\s*/);
      expect(methods).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']));
      // A star would not cover `Authorization`: it has to be named.
      expect(headers.get('access-control-allow-headers')).toMatch(/authorization/i);
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
    },
  );
});

describe('Cache-Control', () => {
  const headersOf = async (path: string, token?: string) => {
    const { headers } = await harness.call(path, { token });
    return [
      headers.get('cache-control'),
      headers.get('vary')?.split(', ').includes('Authorization'),
    ];
  };
  const SEARCH = '/v2/book/search?q=a';
  const API = ['/v2/book/0', SEARCH, '/v2/nothing', '/v2/book/abc', '/admin/v1/audit'];

  it.each(API)('of %s varies by caller; with a token the response is private', async (path) => {
    const token = await harness.token();
    const succeeds = path === SEARCH;
    expect(await headersOf(path)).toEqual([succeeds ? 'no-cache' : null, true]);
    expect(await headersOf(path, token)).toEqual(['private, no-store', true]);
    expect(await headersOf(path, 'nonsense')).toEqual(['private, no-store', true]);
  });

  it('of /v2/rate_limit forbids storing', async () => {
    expect(await headersOf('/v2/rate_limit')).toEqual(['private, no-store', true]);
  });

  it.each(['/service/sign-in', '/service/nothing', '/service/auth2/token', '/service/account'])(
    'of %s forbids storing',
    async (path) => {
      expect((await headersOf(path))[0]).toBe('no-store');
    },
  );

  it('of static files allows public caching', async () => {
    const path = '/pictures/sample/default/book-m.jpg';
    const token = await harness.token();
    expect(await headersOf(path, token)).toEqual(await headersOf(path));
    expect((await headersOf(path))[0]).toContain('public');
  });

  it.each([
    [{ 'if-match': '"zz"' }, 412, null],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412, null],
    [{ range: 'bytes=9999999-' }, 416, expect.stringMatching(/^bytes \*\/\d+$/)],
  ])('of static files is not that of a refusal: %j', async (headers, status, range) => {
    const path = '/pictures/sample/default/book-m.jpg';
    for (const accept of ['*/*', 'text/html']) {
      const refused = await harness.call(path, { headers: { ...headers, accept } });
      expect(refused.status).toBe(status);
      const read = (name: string) => refused.headers.get(name);
      expect([read('cache-control'), read('etag'), read('last-modified')]).toEqual(
        Array(3).fill(null),
      );
      expect(read('content-range')).toEqual(range);
    }
  });
});

describe('the length of response headers', () => {
  it('does not depend on the names of headers in a preflight', async () => {
    const preflight = async (names: string): Promise<string | null> => {
      const headers = {
        origin: 'https://example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': names,
      };
      const response = await harness.call('/v2/book/1', { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      return response.headers.get('access-control-allow-headers');
    };
    const names = 'x-own,'.repeat(166);
    expect(await preflight(names)).toBe(names);
    expect(await preflight(`${names}x-more`)).toBeNull();
  });

  it('does not depend on addresses to return to', async () => {
    const locationOf = async (path: string): Promise<string | null> =>
      (await harness.call(path)).headers.get('location');
    const long = (length: number): string =>
      `/service/developer/applications/${'a'.repeat(length)}`;
    expect(await locationOf(long(100))).toBe(
      `/service/sign-in?return_to=${encodeURIComponent(long(100))}`,
    );
    expect(await locationOf(long(20_000))).toBe('/service/sign-in');
    const language = '/service/language?to=en&return_to=';
    expect(await locationOf(language + long(100))).toBe(long(100));
    expect(await locationOf(language + long(20_000))).toBe('/');
    // The address in `Location` is longer than this one.
    expect(await locationOf(`${language}/${'%22'.repeat(10_000)}`)).toBe('/');
  });
});
