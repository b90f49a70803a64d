import { RouteTable } from '../../../src/api/routing/route-table';
import { startHarness, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';
import { makeStale, signedInAdministrator } from './administrator';
import { CONSOLE_FORMS, CONSOLE_PAGES, DANGEROUS_FORMS } from './routes';

let harness: Harness;
let administrator: Browser;
let user: Browser;
let token: string;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  user = await new Browser(harness).register('ann');
  const [{ id } = { id: 0 }] = await harness.database.source.query<{ id: number }[]>(
    `SELECT id::float8 AS id FROM users WHERE uid = 'root'`,
  );
  token = await harness.token({ userId: id, scopes: ['admin'] });
});
afterAll(() => harness.close());

const addressOf = (path: string): string => path.replace(/:\w+/g, '1');

it('every route of the console is tested here', () => {
  const routes = harness.app
    .get(RouteTable, { strict: false })
    .routes.filter(
      ({ path, response }) => /^\/admin(?!\/v1)/.test(path) && response.kind === 'page',
    )
    .filter(({ path }) => !/\.(css|js)$|\/setup$/.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  const listed = [
    ...CONSOLE_PAGES.map((path) => `GET ${path}`),
    ...CONSOLE_FORMS.map((path) => `POST ${path}`),
  ];
  expect(listed.sort()).toEqual(routes.sort());
});

it('visitors and tokens are redirected to sign-in; users get 403; administrators see pages', async () => {
  for (const path of CONSOLE_PAGES.map(addressOf)) {
    const anonymous = await new Browser(harness).open(path);
    const byToken = await new Browser(harness).open(path, { authorization: `Bearer ${token}` });
    const statuses = [anonymous, byToken, await user.open(path)].map(({ status }) => status);
    expect([path, ...statuses]).toEqual([path, 303, 303, 403]);
    const shown = await administrator.open(path);
    expect([path, [200, 404].includes(shown.status)]).toEqual([path, true]);
    if (!path.endsWith('/log/export'))
      expect([path, /<nav class="side[^]*href="\/admin\/catalogue"/.test(shown.text)]).toEqual([
        path,
        true,
      ]);
    expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(shown.text).not.toMatch(/undefined|\[object|NaN/);
  }
});

it('pages are not stored, not read by other origins, and ignore control characters', async () => {
  for (const path of CONSOLE_PAGES.map(addressOf)) {
    const query = ['q', 'actor', 'action', 'kind', 'id', 'state', 'into', 'did'];
    const address = `${path}?${query.map((name) => `${name}=%00`).join('&')}`;
    const { status, headers } = await administrator.open(address);
    expect([path, Math.floor(status / 100)]).not.toEqual([path, 5]);
    const [cache, origin] = ['cache-control', 'access-control-allow-origin'].map((name) =>
      headers.get(name),
    );
    expect([path, cache, origin]).toEqual([path, 'no-store', null]);
  }
});

it('sign-in returns to the page of the console', async () => {
  const { headers } = await new Browser(harness).open('/admin/queue');
  expect(headers.get('location')).toBe('/service/sign-in?return_to=%2Fadmin%2Fqueue');
  const browser = await signedInAdministrator(harness, 'back');
  const signedIn = await browser.open(String(headers.get('location')));
  expect(signedIn.headers.get('location')).toBe('/admin/queue');
});

it('forms reject visitors, users and wrong CSRF tokens', async () => {
  const formToken = await user.formToken();
  for (const path of CONSOLE_FORMS.map(addressOf)) {
    const responses = [
      await new Browser(harness).post(path, {}),
      await user.post(path, { form_token: formToken }),
      await administrator.post(path, { form_token: formToken }),
      await administrator.post(path, {}, { authorization: `Bearer ${token}` }),
    ];
    expect([path, ...responses.map(({ status }) => status)]).toEqual([path, 403, 403, 403, 403]);
  }
});

it('dangerous forms ask for the password again after 15 minutes', async () => {
  const form_token = await administrator.formToken();
  await makeStale(harness, 'root');
  for (const path of DANGEROUS_FORMS.map(addressOf)) {
    const fields = { form_token, reason: 'the <reason>' };
    const asked = await administrator.post(path, fields);
    expect([path, asked.status]).toEqual([path, 403]);
    expect(asked.text).toMatch(/name="confirm_password"/);
    expect(asked.text).toMatch(/value="the &lt;reason&gt;"/);
  }
  const [path] = DANGEROUS_FORMS.map(addressOf);
  if (path === undefined) return;
  const wrong = { form_token, confirm_password: 'not this' };
  expect((await administrator.post(path, wrong)).text).toMatch(/The password is wrong/);
  const fields = { form_token, confirm_password: 'correct horse battery' };
  const { text } = await administrator.post(path, fields);
  expect(text).not.toMatch(/name="confirm_password"/);
});

it('errors are in the frame of the console, with a link back, for administrators only', async () => {
  const gone = '/admin/catalogue/books/999999';
  const { status, text } = await administrator.open(gone, { 'accept-language': 'zh-CN' });
  expect(status).toBe(404);
  expect(text).toMatch(
    /没有条目 999999，或已删除。[^]*href="\/admin\/catalogue\?type=books">目录</,
  );
  const referer = `${harness.origin}/admin/series?q=x`;
  const sent = await administrator.post('/admin/series/create', {}, { referer });
  expect([
    sent.status,
    /form has expired[^]*href="\/admin\/series\?q=x">Go back/.test(sent.text),
  ]).toEqual([403, true]);
  const other = await user.open(gone);
  expect([other.status, /href="\/admin\/catalogue"/.test(other.text)]).toEqual([403, false]);
  const json = await administrator.open(gone, { accept: 'application/json' });
  expect([json.status, JSON.parse(json.text).code]).toEqual([404, 1001]);
});
