import { RequestStatisticsService } from '../../../src/limits/request-statistics.service';
import { UsageService } from '../../../src/limits/usage.service';
import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { Browser, unescaped } from './browser';
import { authorizationOf, REDIRECT } from './flows';

const PAGE = '/service/developer';
const XSS = `"><script>alert(1)</script>`;

let harness: Harness;
let dev: Browser;
beforeAll(async () => {
  harness = await startHarness();
  dev = await new Browser(harness).register('dev');
});
afterAll(() => harness.close());

interface App {
  readonly clientId: string;
  readonly path: string;
}

async function anApp(name = 'An app', browser = dev): Promise<App> {
  const fields = { name, redirect_uris: REDIRECT };
  const { headers } = await browser.fill(PAGE, `${PAGE}/applications`, fields);
  const [, path = '', clientId = ''] =
    /^(.*\/(\w+))\/keys\?/.exec(headers.get('location') ?? '') ?? [];
  return { clientId, path };
}

const secretOn = (text: string): string | undefined => /id="secret">([^<]+)</.exec(text)?.[1];
const save = ({ path }: App, fields: Record<string, string>) =>
  dev.fill(`${path}/settings`, `${path}/settings`, {
    ...{ name: 'An app', redirect_uris: REDIRECT },
    ...fields,
  });

describe('a new secret (D138)', () => {
  it('survives reloads of the page that the form redirects to', async () => {
    const { path } = await anApp();
    const first = await dev.open(`${path}/keys?did=create`);
    const again = await dev.open(`${path}/keys`);
    expect(secretOn(first.text)).toMatch(/^cpcs_/);
    expect(secretOn(again.text)).toBe(secretOn(first.text));
    const rotated = await dev.fill(`${path}/keys`, `${path}/secret`, {});
    expect([rotated.status, rotated.headers.get('location')]).toEqual([
      303,
      `${path}/keys?did=rotate`,
    ]);
    const { text } = await dev.open(`${path}/keys`);
    expect(secretOn(text)).not.toBe(secretOn(first.text));
  });

  it('does not replace the new secret of another application', async () => {
    const [one, other] = [await anApp(), await anApp()];
    const secrets = [one, other].map(async ({ path }) =>
      secretOn((await dev.open(`${path}/keys`)).text),
    );
    expect(new Set(await Promise.all(secrets)).size).toBe(2);
    expect(await Promise.all(secrets)).not.toContain(undefined);
  });

  it('is no longer shown after the developer has stored it', async () => {
    const { path } = await anApp();
    const { headers } = await dev.fill(`${path}/keys`, `${path}/keys/stored`, {});
    const { text } = await dev.open(String(headers.get('location')));
    expect(secretOn(text)).toBeUndefined();
    expect(text).toContain('The secret is no longer shown.');
  });

  it('is in no address and in no other session, also with its cookie', async () => {
    const { clientId, path } = await anApp();
    const cookie = `commonplace_secret_${clientId}`;
    const value = dev.held(cookie);
    expect(value).not.toContain('cpcs_');
    const elsewhere = new Browser(harness);
    await elsewhere.signIn('dev');
    elsewhere.plant(value, cookie);
    const { status, text } = await elsewhere.open(`${path}/keys`);
    expect([status, secretOn(text)]).toEqual([200, undefined]);
    // A changed cookie, and one of another application.
    const other = await anApp();
    dev.plant(value, `commonplace_secret_${other.clientId}`);
    expect(secretOn((await dev.open(`${other.path}/keys`)).text)).toBeUndefined();
    dev.plant(`${value.slice(0, -3)}AAA`, cookie);
    expect(secretOn((await dev.open(`${path}/keys`)).text)).toBeUndefined();
  });

  it('leaves addresses of forms that show pages when they are opened', async () => {
    const { path } = await anApp();
    for (const [form, page] of [
      [`${PAGE}/applications`, PAGE],
      [`${path}/secret`, `${path}/keys`],
      [`${path}/request`, `${path}/permissions`],
      [`${path}/test`, `${path}/keys`],
      [`${path}/delete`, `${path}/settings`],
      [`${path}/logo`, `${path}/settings`],
    ] as const) {
      const { status, headers } = await dev.open(form);
      expect([form, status, headers.get('location')]).toEqual([form, 303, page]);
    }
  });
});

describe('the tabs of an application', () => {
  it('link to each other, mark the current one, and need no script', async () => {
    const { path } = await anApp();
    const { text: overview } = await dev.open(path);
    const [nav = ''] = /<nav aria-label="Parts of this app">[^]*?<\/nav>/.exec(overview) ?? [];
    const links = [...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => String(href));
    expect(links).toHaveLength(new Set(links).size);
    expect(links[0]).toBe(path);
    for (const link of links) {
      const { status, text } = await dev.open(link);
      expect([link, status]).toEqual([link, 200]);
      expect(text).toMatch(new RegExp(`href="${link}"\\s+aria-current="page"`));
      expect(text).not.toContain('<script');
    }
  });

  it('show the names of prototypes as no message', async () => {
    const { path } = await anApp();
    const { text } = await dev.open(`${path}?did=constructor`);
    expect(text).not.toContain('role="status"');
  });
});

describe('usage and recent errors', () => {
  it('show operations, statuses, and failed requests with their codes, but no path or query', async () => {
    const app = await anApp();
    const headers = { 'x-request-id': 'id-of-the-client' };
    for (const path of ['/v2/book/4711', '/v2/book/4711', '/v2/nowhere'])
      await harness.call(`${path}?apikey=${app.clientId}&q=unseen`, { headers });
    await harness.app.get(RequestStatisticsService, { strict: false }).flush();
    await harness.app.get(UsageService, { strict: false }).flush();
    const { text: failures } = await dev.open(`${app.path}/failures`);
    expect(failures).toContain('<code>GET /v2/book/:id</code>');
    expect(failures).toContain('<code>id-of-the-client</code>');
    expect(failures).toContain('href="/docs/errors/6000">Error 6000</a>');
    const { text: use } = await dev.open(`${app.path}/use`);
    expect(use).toMatch(/<code>GET \/v2\/book\/:id<\/code><\/td>\s*<td class="number">2</);
    expect(use).toMatch(/<td ?>404<\/td>\s*<td class="number">3</);
    expect(use).toContain('role="img"');
    for (const page of [failures, use]) expect(page).not.toMatch(/book\/4711|unseen/);
  });
});

describe('a test key (D171)', () => {
  it('has limits and statistics of its own, and causes errors in the shape of real ones', async () => {
    const app = await anApp();
    const { headers } = await dev.fill(`${app.path}/keys`, `${app.path}/test`, {});
    const location = String(headers.get('location'));
    const testKey = String(/applications\/(\w+)\/keys\?did=test/.exec(location)?.[1]);
    const { text } = await dev.open(location);
    expect(secretOn(text)).toMatch(/^cpcs_/);
    expect(text).toContain('The test key is ready.');
    const book = (key: string, fault: string) =>
      harness.call(`/v2/movie/top250?apikey=${key}`, { headers: { 'x-test-fault': fault } });

    const limited = await book(testKey, '429');
    expect([limited.status, limited.body.code]).toEqual([429, 111]);
    expect(limited.headers.get('retry-after')).toBe('2');
    expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
    const failed = await book(testKey, '503');
    expect([failed.status, failed.body.code]).toEqual([503, 999]);
    expect(failed.headers.get('retry-after')).toBe('2');
    const wrong = await book(testKey, '418');
    expect([wrong.status, wrong.body.code]).toEqual([400, 999]);
    expect((await book(testKey, '')).status).toBe(200);
    // Other keys ignore the header.
    expect((await book(app.clientId, '429')).status).toBe(200);

    await harness.app.get(RequestStatisticsService, { strict: false }).flush();
    const failures = (await dev.open(`${PAGE}/applications/${testKey}/failures`)).text;
    expect(failures).toContain('Error 111');
    expect((await dev.open(`${app.path}/failures`)).text).not.toContain('Error 111');
    expect((await dev.open(PAGE)).text).not.toContain(testKey);
  });

  it('shares settings and blocks with its application, and ends with it', async () => {
    const app = await anApp();
    const make = () => dev.fill(`${app.path}/keys`, `${app.path}/test`, {});
    const location = String((await make()).headers.get('location'));
    const testKey = String(/applications\/(\w+)\//.exec(location)?.[1]);
    const path = `${PAGE}/applications/${testKey}`;
    // There is one at most, and it has none itself.
    expect((await make()).headers.get('location')).toBe(`${app.path}/keys`);
    const nested = await dev.fill(`${path}/keys`, `${path}/test`, {});
    expect(nested.headers.get('location')).toBe(`${path}/keys`);
    expect((await dev.open(`${path}/settings`)).status).toBe(404);
    const fields = { name: 'Mine', redirect_uris: '' };
    const refused = await dev.fill(`${path}/keys`, `${path}/settings`, fields);
    expect(refused.status).toBe(404);
    await save(app, { name: 'Renamed' });
    expect((await dev.open(`${path}/keys`)).text).toContain('<h1>Renamed (test)</h1>');
    const code = async () => (await harness.call(`/v2/book/0?apikey=${testKey}`)).body.code;
    expect(await code()).toBe(6000);
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    const notice = { reason: 'test', contact: 'help@service.example' };
    await approvals.block(app.clientId, { actor: 'administrator', ...notice });
    expect(await code()).toBe(105);
    await approvals.unblock(app.clientId, { actor: 'administrator' });
    const deleted = await dev.fill(`${path}/keys`, `${path}/test/delete`, {});
    expect(deleted.headers.get('location')).toBe(`${app.path}/keys?did=test-delete`);
    expect(await code()).toBe(104);
  });
});

describe('homepage and description', () => {
  it('are shown on the consent page with the owner, escaped', async () => {
    const app = await anApp(XSS.slice(0, 30));
    const fields = { name: XSS, description: XSS, homepage: 'https://shelf.example/?a="b' };
    expect((await save(app, fields)).status).toBe(400);
    const homepage = 'https://shelf.example/about?a=b&c=d';
    expect((await save(app, { ...fields, homepage })).status).toBe(303);
    const { text } = await dev.open(authorizationOf({ clientId: app.clientId, secret: undefined }));
    expect(text).toContain(`href="${homepage.replace('&', '&amp;')}"`);
    expect(text).toContain('dev, a user of this service, registered this app.');
    expect(unescaped(text)).toContain(`<p>${XSS}</p>`);
    expect(text).not.toContain('<script');
    for (const tab of ['', '/keys', '/permissions', '/use', '/failures', '/settings'])
      expect((await dev.open(app.path + tab)).text).not.toContain('<script');
  });

  it.each([
    'http://shelf.example/',
    'javascript:alert(1)',
    'https://user@shelf.example/',
    'https://',
    `https://shelf.example/${'x'.repeat(300)}`,
  ])('a homepage is not %s', async (homepage) => {
    const app = await anApp();
    const { status, text } = await save(app, { homepage, description: 'Kept' });
    expect(status).toBe(400);
    expect(text).toContain('The home page must be an address with https://');
    expect(text).toMatch(/>\s*Kept<\/textarea>/);
  });
});

describe('the deletion of an application', () => {
  it('requires its name, and ends its key and tokens at once', async () => {
    const { clientId, path } = await anApp();
    const call = async () => (await harness.call(`/v2/book/0?apikey=${clientId}`)).body.code;
    expect(await call()).toBe(6000);
    const wrong = await dev.fill(`${path}/settings`, `${path}/delete`, { confirm: 'An' });
    expect([wrong.status, wrong.text.includes('The name does not match.')]).toEqual([400, true]);
    const right = await dev.fill(`${path}/settings`, `${path}/delete`, { confirm: 'An app' });
    expect(right.headers.get('location')).toBe(`${PAGE}?did=delete`);
    expect((await dev.open(`${PAGE}?did=delete`)).text).toContain('The app is deleted.');
    expect(await call()).toBe(104);
    expect((await dev.open(path)).status).toBe(404);
  });

  it('is refused for a blocked application, which shows why, since when and whom to write to', async () => {
    const { clientId, path } = await anApp();
    const notice = { reason: XSS, contact: 'help@service.example' };
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    await approvals.block(clientId, { actor: 'administrator', ...notice });
    const { status, text } = await dev.fill(PAGE, `${path}/delete`, { confirm: 'An app' });
    expect([status, text.includes('A blocked app cannot be deleted.')]).toEqual([400, true]);
    for (const tab of ['', '/keys', '/permissions', '/use', '/failures', '/settings']) {
      const page = (await dev.open(path + tab)).text;
      expect(page).toMatch(/Blocked since \d{4}-\d{2}-\d{2}\./);
      expect(unescaped(page)).toContain(`Reason: ${XSS}`);
      expect(page).toContain('href="mailto:help@service.example"');
      expect(page).not.toContain('<script');
    }
  });
});

it('the audit log has the changes of developers, without secrets', async () => {
  const app = await anApp();
  await dev.fill(`${app.path}/keys`, `${app.path}/secret`, {});
  await save(app, { name: 'Logged' });
  // The log has the stored values, and no entry for a form that changes nothing.
  await save(app, { name: ' Logged ' });
  const requested = { level: 'L2', reason: 'more', scope: 'unknown '.repeat(1000) };
  await dev.fill(`${app.path}/permissions`, `${app.path}/request`, requested);
  const { headers } = await dev.fill(`${app.path}/keys`, `${app.path}/test`, {});
  const [, testKey = ''] = /applications\/(\w+)\//.exec(String(headers.get('location'))) ?? [];
  const testPath = `${PAGE}/applications/${testKey}`;
  await dev.fill(`${testPath}/keys`, `${testPath}/test/delete`, {});
  await dev.fill(`${app.path}/settings`, `${app.path}/delete`, { confirm: 'Logged' });
  const rows: { actor: string; action: string; after: object }[] = await harness.source.query(
    'SELECT actor, action, after FROM audit_log WHERE target_id = $1 ORDER BY id',
    [app.clientId],
  );
  expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    'dev application.create',
    'dev application.rotate_secret',
    'dev application.update',
    'dev application.request',
    'dev application.create_test_key',
    'dev application.delete_test_key',
    'dev application.delete',
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/cpcs_|unknown/);
});
