import { RouteTable } from '../../../src/api/routing/route-table';
import { startHarness, type Harness } from '../../harness';
import { SITE } from './matrix.site';
import { Browser } from './browser';
import { aClient, callAs, TOKEN } from './flows';

/** Routes that are open over plain HTTP: they have no data of users or applications. */
const OPEN = [
  'GET /admin/console.js',
  'GET /admin/style.css',
  'GET /admin/v1/openapi.json',
  'GET /docs',
  'GET /docs/changelog',
  'GET /docs/changelog.atom',
  'GET /docs/commonplace-client.tgz',
  'GET /docs/design',
  'GET /docs/design/style.css',
  'GET /docs/docs.css',
  'GET /docs/docs.js',
  'GET /docs/errors',
  'GET /docs/errors/:id',
  'GET /docs/guides',
  'GET /docs/guides/:name',
  'GET /docs/reference',
  'GET /docs/reference/:name',
  'GET /docs/search',
  'GET /favicon.svg',
  'GET /healthz',
  // Those that are private have a test of their own.
  'GET /pictures/u/:name',
  'GET /readyz',
  'GET /v2/captcha',
  'GET /v2/openapi.json',
  'GET /v2/rate_limit',
  'GET /.well-known/oauth-authorization-server',
  'GET /service/challenge.js',
  'GET /service/language',
  'GET /service/style.css',
  ...SITE.map(([route]) => `GET /${route}`),
];

describe('where HTTPS is required (D17)', () => {
  let harness: Harness;
  beforeAll(async () => {
    const settings = { REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '1' };
    harness = await startHarness({ settings });
  });
  afterAll(() => harness.close());

  it('every page and endpoint that handles credentials is rejected over HTTP: 400, code 100', async () => {
    const { routes } = harness.app.get(RouteTable, { strict: false });
    const beside = routes.filter(({ scope }) => scope === null);
    const responses = await Promise.all(
      beside.map(async ({ method, path }) => {
        const { status, text, headers } = await harness.call(path, { method });
        const refused = status === 400 && text.includes('"code":100');
        return { route: `${method} ${path}`, refused, cookie: headers.get('set-cookie') };
      }),
    );
    const open = responses.filter(({ refused }) => !refused).map(({ route }) => route);
    expect(open.sort()).toEqual([...OPEN].sort());
    expect(responses.map(({ cookie }) => cookie)).toEqual(responses.map(() => null));
  });

  it('a secret sent over HTTP is not checked', async () => {
    const client = await aClient(harness);
    const lookUps: string[] = [];
    harness.database.onStatement = (name) => lookUps.push(name);
    const { status, body } = await callAs(harness, client, TOKEN, {
      grant_type: 'client_credentials',
    });
    expect([status, body.code, lookUps]).toEqual([400, 100, []]);
  });

  it('browsers get Strict-Transport-Security and a secure cookie', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const response = await new Browser(harness).open('/service/sign-in', headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
    expect(response.headers.get('set-cookie')).toMatch(/; Secure/);
  });
});
