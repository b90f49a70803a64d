import { type Route } from '../../../src/api/routing/route-table';
import { RouteTable } from '../../../src/api/routing/route-table';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Browser } from './browser';
import { aClient, authorizationOf, TOKEN, type TestClient } from './flows';

/** Files of the pages. */
const FILES = ['/service/style.css', '/service/challenge.js'];

/** Pages whose form may end at an application, after as many redirects as that likes. */
const LEADING_AWAY = [
  'GET /service/sign-in text/html false',
  'GET /service/sign-in */* false',
  'GET /service/register text/html false',
  'GET /service/register */* false',
  'consent',
  'wrong',
];

let harness: Harness;
let browser: Browser;
let client: TestClient;
let own: string;
/** The pages' routes, but for their files, which are nobody's secret. */
let pages: readonly Route[];

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness);
  const made = await browser.fillAndFollow(
    '/service/developer',
    '/service/developer/applications',
    {
      name: 'Own',
      redirect_uris: '',
    },
  );
  own = String(/applications\/(\w+)\/settings"/.exec(made.text)?.[1]);
  pages = harness.app
    .get(RouteTable, { strict: false })
    .routes.filter(({ path, response }) => path.startsWith('/service') && response.kind === 'page')
    .filter(({ path }) => !FILES.includes(path));
});
afterAll(() => harness.close());

/** Responses of every page, with and without errors: to visitors and to users. */
async function everyResponse(): Promise<
  readonly (readonly [what: string, response: TestResponse])[]
> {
  const form_token = await browser.formToken();
  const responses: (readonly [string, TestResponse])[] = [];
  for (const { method, path } of pages) {
    const address = path.replace(':clientId', own);
    for (const accept of ['text/html', '*/*']) {
      for (const who of [browser, new Browser(harness)]) {
        const call = () =>
          method === 'GET'
            ? who.open(address, { accept })
            : who.post(address, { uid: 'x', form_token: 'none' }, { accept });
        responses.push([`${method} ${address} ${accept} ${String(who === browser)}`, await call()]);
      }
    }
  }
  const request = authorizationOf(client);
  responses.push(['consent', await browser.open(request)]);
  responses.push(['to sign in', await new Browser(harness).open(request)]);
  responses.push(['fault', await browser.open(authorizationOf(client, { redirect_uri: 'x' }))]);
  responses.push(['no page', await browser.open(`/service/developer/applications/none`)]);
  responses.push(['wrong', await browser.post('/service/sign-in', { form_token, uid: 'ann' })]);
  return responses;
}

describe('every response of a page', () => {
  let responses: Awaited<ReturnType<typeof everyResponse>>;
  beforeAll(async () => {
    responses = await everyResponse();
  });

  const valuesOf = (header: string) =>
    responses.map(([what, { headers }]) => [what, headers.get(header)]);
  const all = (value: unknown) => responses.map(([what]) => [what, value]);

  it('is tested here', () => {
    expect(pages.length).toBeGreaterThanOrEqual(15);
    const statuses = new Set(responses.map(([, { status }]) => status));
    expect([...statuses].sort()).toEqual([200, 303, 400, 403, 404]);
  });

  it('must not be cached', () => {
    expect(valuesOf('cache-control')).toEqual(all('no-store'));
  });

  it('cannot be framed (clickjacking; RFC 9700, section 4.16)', () => {
    expect(valuesOf('x-frame-options')).toEqual(all('DENY'));
    expect(valuesOf('content-security-policy')).toEqual(
      all(expect.stringMatching(/(^|; )frame-ancestors 'none'(;|$)/)),
    );
  });

  // A browser holds what an application redirects to after consent against the page's policy, too.
  it('runs no script, and submits forms only to the service and to an authorized application', () => {
    expect(valuesOf('content-security-policy')).toEqual(
      all(expect.stringMatching(/^default-src 'none'; style-src 'self'; /)),
    );
    const policies = valuesOf('content-security-policy').map(([, policy]) => policy);
    expect(policies.filter((policy) => policy?.includes('script-src'))).toEqual([]);
    const open = valuesOf('content-security-policy')
      .filter(([, policy]) => !policy?.endsWith("; form-action 'self'"))
      .map(([page]) => page);
    expect(open).toEqual(LEADING_AWAY);
  });

  it('cannot be read by other sites (CORS)', () => {
    expect(valuesOf('access-control-allow-origin')).toEqual(all(null));
    expect(valuesOf('access-control-allow-credentials')).toEqual(all(null));
    expect(valuesOf('cross-origin-resource-policy')).toEqual(all('same-origin'));
    expect(valuesOf('cross-origin-opener-policy')).toEqual(all('same-origin'));
  });

  it('sends no Referer to other sites', () => {
    expect(valuesOf('referrer-policy')).toEqual(all('same-origin'));
  });

  it('is not sniffed (nosniff)', () => {
    expect(valuesOf('x-content-type-options')).toEqual(all('nosniff'));
  });
});

describe('CORS', () => {
  const origin = 'https://client.example';

  it('is not available for pages', async () => {
    const paths = [...pages.map(({ path }) => path), '/service/', '/SERVICE/sign-in'];
    for (const path of paths) {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { origin, 'access-control-request-method': 'POST' };
        const response = await harness.call(path, { method, headers });
        const allowed = response.headers.get('access-control-allow-origin');
        expect([method, path, allowed]).toEqual([method, path, null]);
      }
    }
  });

  it.each(['token', 'revoke', 'introspect'])(
    'is available for the endpoint %s, without cookies',
    async (one) => {
      const { headers } = await harness.call(`/service/auth2/${one}`, {
        method: 'POST',
        headers: { origin },
      });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    },
  );
});

describe('responses to applications', () => {
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    harness.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });

  it('must not be cached, including errors and malformed requests', async () => {
    const { clientId, secret } = client;
    const own = `client_id=${clientId}&client_secret=${secret}`;
    const responses = [
      await post(TOKEN, `${own}&grant_type=client_credentials`),
      await post('/service/auth2/introspect', `${own}&token=x`),
      await post('/service/auth2/revoke', `${own}&token=x`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const path of [TOKEN, '/service/auth2/introspect', '/service/auth2/revoke']) {
      responses.push(
        await post(path, ''),
        await post(path, 'client_id=nobody&client_secret=x'),
        await post(path, '{', { 'content-type': 'application/json' }),
        await post(path, 'x', { 'content-type': 'text/plain' }),
        await harness.call(path),
      );
    }
    const cacheControl = responses.map(({ headers }) => headers.get('cache-control'));
    expect(cacheControl).toEqual(responses.map(() => 'no-store'));
  });
});
