import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';

const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const JSONP = 'text/javascript; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';

/** Accept headers of clients, and whether they get pages. */
const CLIENTS: readonly (readonly [accept: string | undefined, page: boolean])[] = [
  [FIREFOX, true],
  [CHROME, true],
  ['text/html', true],
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html', false],
  ['application/json, text/plain, */*', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
  [JAVA, false],
];

/** Requests that fail: method, path, status, code. */
const REQUESTS = [
  ['GET', '/nowhere', 404, 1001],
  ['GET', '/v2/nowhere', 404, 1001],
  ['GET', '/v2/book/1', 404, 6000],
  ['GET', '/v2/book/1?apikey=none', 401, 104],
  ['GET', '/v2/book/search?count=x', 400, 999],
  ['GET', '/v2/note/1', 403, 1000],
  ['GET', '/%ff', 404, 1001],
  ['DELETE', '/v2/book/1', 400, 1014],
  ['POST', '/', 400, 1014],
  ['POST', '/healthz', 400, 1014],
  ['GET', '/service/nowhere', 404, 1001],
  ['GET', '/service/sign-out', 400, 1014],
  ['GET', '/service/auth2/token', 400, 1014],
  ['GET', '/admin/v1/users', 403, 1000],
  ['GET', '/admin/v1/nowhere', 404, 1001],
  ['GET', '/pictures/none', 404, 1001],
  ['GET', '/docs/assets/none.js', 404, 1001],
] as const;

const typeOf = ({ headers }: TestResponse): string | null => headers.get('content-type');
const ask = (accept: string | undefined): Record<string, string> =>
  accept === undefined ? {} : { accept };

describe('errors (D115)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  describe.each(REQUESTS)('%s %s', (method, path, status, code) => {
    it.each(CLIENTS)('with Accept: %s; HTML: %s', async (accept, page) => {
      const response = await harness.call(path, { method, headers: ask(accept) });
      expect([response.status, typeOf(response)]).toEqual([status, page ? HTML : JSON_TYPE]);
      expect(response.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
      if (!page) {
        const request = `${method} ${path.split('?')[0]}`;
        expect(response.body).toEqual({ msg: expect.any(String) as string, code, request });
        return;
      }
      expect(response.headers.get('vary')).toMatch(/\bAccept-Language\b.*\bCookie\b/);
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(response.text).toContain(`<dd>${status}</dd>`);
      expect(response.text).toContain(`<dd>${code} <code>`);
      expect(response.text).toContain(`<code>${response.headers.get('x-request-id')}</code>`);
      for (const way of ['/', '/docs']) expect(response.text).toContain(`<a href="${way}">`);
    });
  });

  it('have the same headers as HTML and as JSON', async () => {
    for (const [method, path] of REQUESTS) {
      const [page, json] = [
        await harness.call(path, { method, headers: { accept: FIREFOX } }),
        await harness.call(path, { method }),
      ];
      for (const name of ['allow', 'x-error-detail', 'www-authenticate', 'x-ratelimit-limit2']) {
        expect([path, name, page.headers.get(name)]).toEqual([path, name, json.headers.get(name)]);
      }
    }
  });

  it('with a token or key are JSON unless Accept prefers HTML', async () => {
    const token = await harness.token();
    const path = '/v2/book/1?apikey=none';
    for (const options of [{ token }, {}]) {
      expect(typeOf(await harness.call(path, options))).toBe(JSON_TYPE);
      const asking = { ...options, headers: { accept: FIREFOX } };
      expect(typeOf(await harness.call(path, asking))).toBe(HTML);
    }
  });

  it('are JSONP for scripts, and HTML for navigation in a browser', async () => {
    const path = '/v2/book/1?callback=f';
    expect(typeOf(await harness.call(path, { headers: { accept: '*/*' } }))).toBe(JSONP);
    expect(typeOf(await harness.call(path))).toBe(JSONP);
    expect(typeOf(await harness.call(path, { headers: { accept: FIREFOX } }))).toBe(HTML);
  });

  it('are problem documents for clients that accept those (RFC 9457)', async () => {
    for (const accept of ['application/problem+json', 'text/html, application/problem+json']) {
      expect(typeOf(await harness.call('/v2/nowhere', { headers: { accept } }))).toBe(PROBLEM);
    }
  });

  it('of token endpoints are always JSON (RFC 6749, section 5.2)', async () => {
    for (const path of ['token', 'revoke', 'introspect']) {
      const response = await harness.call(`/service/auth2/${path}`, {
        method: 'POST',
        headers: { accept: FIREFOX },
        body: new URLSearchParams({ grant_type: 'none' }),
      });
      expect([path, typeOf(response)]).toEqual([path, JSON_TYPE]);
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('of malformed forms are HTML', async () => {
    const bodies = [
      ['application/json', '{'],
      ['application/x-www-form-urlencoded', 'x='.repeat(600_000)],
      ['text/csv', 'a,b'],
    ] as const;
    for (const [type, body] of bodies) {
      const headers = { accept: FIREFOX, 'content-type': type };
      const response = await harness.call('/service/sign-in', { method: 'POST', headers, body });
      expect([type, response.status >= 400, typeOf(response)]).toEqual([type, true, HTML]);
    }
  });

  it('for HEAD have the headers of the HTML page', async () => {
    const response = await harness.call('/nowhere', {
      method: 'HEAD',
      headers: { accept: FIREFOX },
    });
    expect([response.status, typeOf(response), response.text]).toEqual([404, HTML, '']);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000);
  });

  it('are in the language of the browser, and escape values of the request', async () => {
    const headers = { accept: FIREFOX, 'accept-language': 'zh-TW,zh;q=0.9' };
    const { text } = await harness.call('/%22%3E%3Cscript%3E?q="><b>', { headers });
    expect(text).toContain('<html lang="zh-Hant">');
    expect(text).toContain('<h1>頁面不存在</h1>');
    expect(text).not.toMatch(/<script|"><b>/);
  });

  it('state how long to wait', async () => {
    const limited = await startHarness({ settings: { LIMIT_ANONYMOUS: '1' } });
    try {
      await limited.call('/v2/nowhere');
      const response = await limited.call('/v2/nowhere', { headers: { accept: FIREFOX } });
      expect([response.status, typeOf(response)]).toEqual([429, HTML]);
      expect(response.text).toMatch(
        /You have reached the rate limit. Try again in \d+ (seconds|minutes)/,
      );
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});

describe('errors where HTTPS is required (D17, D115)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ settings: { REQUIRE_HTTPS: 'true' } });
  });
  afterAll(() => harness.close());

  it.each(['/service/sign-in', '/service/account', '/v2/note/1', '/admin/v1/users'])(
    'GET %s over HTTP',
    async (path) => {
      const page = await harness.call(path, { headers: { accept: CHROME } });
      expect([page.status, typeOf(page)]).toEqual([400, HTML]);
      expect(page.text).toContain('This address requires HTTPS.');
      const json = await harness.call(path, { headers: { accept: '*/*' } });
      expect([json.status, typeOf(json), json.body.code]).toEqual([400, JSON_TYPE, 100]);
    },
  );

  it('have a style sheet and a language switch', async () => {
    expect((await harness.call('/service/style.css')).status).toBe(200);
    const browser = new Browser(harness);
    const { status } = await browser.open(
      '/service/language?to=zh-Hans&return_to=/service/sign-in',
    );
    expect(status).toBe(303);
    expect((await browser.open('/service/sign-in')).text).toContain('<html lang="zh-Hans">');
  });
});
