import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser as Chromium, type Page } from 'playwright-core';
import { exampleServer } from '../../clients/typescript/examples/shelf/serve';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { closeBrowser, openBrowser } from './browser';

/** The example application of the TypeScript client, which a partner serves from another origin. */
let harness: Harness;
let chrome: Chromium;
let example: Server;
let clientId = '';
let address: string;
let built: string;

beforeAll(async () => {
  built = join(mkdtempSync(join(tmpdir(), 'commonplace-client-')), 'dist');
  execFileSync(process.execPath, [join(__dirname, '../../clients/typescript/build.js'), built]);
  harness = await startHarness({ reachable: true });
  chrome = await openBrowser();
  const config = () => ({ service: harness.origin, clientId });
  example = exampleServer(config, built).listen(0, '127.0.0.1');
  await once(example, 'listening');
  address = `http://127.0.0.1:${(example.address() as AddressInfo).port}/`;
  const applications = harness.app.get(ApplicationsService, { strict: false });
  ({ clientId } = await applications.create({
    name: 'Shelf',
    isPublic: true,
    redirectUris: [address],
    scopes: ['book_basic_r', 'book_basic_w'],
  }));
});

afterAll(async () => {
  await closeBrowser();
  example.close();
  rmSync(dirname(built), { recursive: true });
  await harness.close();
});

/** Registers a user, whose session the page then has. */
async function register(page: Page, uid: string): Promise<void> {
  await page.goto(`${harness.origin}/service/register?return_to=/service/developer`);
  await page.fill('#uid', uid);
  await page.fill('#password', 'correct horse battery');
  await page.click('main button');
  await page.waitForURL('**/service/developer');
}

it('signs a reader in with PKCE, lists the shelf, survives a reload, writes, and signs out', async () => {
  const page = await chrome.newPage({ viewport: { width: 375, height: 700 }, locale: 'en-US' });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isOwn = message.location().url.startsWith(address);
    if (isOwn && message.type() === 'error') errors.push(message.text());
  });

  await register(page, 'reader');
  const users: { id: number }[] = await harness.source.query('SELECT max(id) AS id FROM users');
  const user_id = Number(users[0]?.id);
  const factories = new Factories(harness.database);
  for (const [title, rating] of [
    ['Water Margin', '5'],
    ['Dream of the Red Chamber', '0'],
  ]) {
    const book_id = await factories.aBook({ title });
    await factories.aCollection({ user_id, book_id, status: 'reading', rating: { value: rating } });
  }

  await page.goto(address);
  await page.click('#sign-in');
  await page.waitForURL('**/service/auth2/auth?**');
  await page.click('button[value=allow]');
  const shelf = async (): Promise<string[]> => {
    await page.waitForSelector('#shelf[data-complete]');
    return (await page.locator('#shelf li').allTextContents()).sort();
  };
  const expected = ['Dream of the Red Chamber: Is reading', 'Water Margin: Is reading ★★★★★'];
  expect(await shelf()).toEqual(expected);
  expect(await page.textContent('#message')).toBe('Signed in as reader.');
  await page.reload();
  expect(await shelf()).toEqual(expected);

  // A write of the same page, for which the reader grants another scope.
  const module = `import('commonplace-client').then(async ({ Commonplace, webStorage }) => {
    const { service: baseUrl, clientId } = await (await fetch('/config.json')).json();
    const api = new Commonplace({ baseUrl, clientId, storage: webStorage(localStorage) });`;
  const url = await page.evaluate<string>(`${module}
    const pending = await api.prepareSignIn(location.origin + '/', ['book_basic_r', 'book_basic_w']);
    sessionStorage.setItem('pending', JSON.stringify(pending));
    return pending.url;
  })`);
  await page.goto(url);
  await page.click('button[value=allow]');
  expect(await shelf()).toEqual(expected);
  const written = await page.evaluate(`${module}
    const path = { id: '${await factories.aBook()}' };
    const { status } = await api.post('/v2/book/{id}/collection', { path, body: { status: 'wish' } });
    return status;
  })`);
  expect(written).toBe('wish');

  await page.click('#sign-out');
  await page.waitForSelector('#sign-in:visible');
  expect(await page.evaluate('localStorage.length')).toBe(0);
  expect(errors).toEqual([]);
});

it('refreshes tokens once for two tabs, which stay signed in', async () => {
  const context = await chrome.newContext({ locale: 'en-US' });
  const [page, other] = [await context.newPage(), await context.newPage()];
  await register(page, 'reader-with-tabs');
  await page.goto(address);
  await page.click('#sign-in');
  await page.waitForURL('**/service/auth2/auth?**');
  await page.click('button[value=allow]');
  await page.waitForSelector('#sign-out:visible');
  await other.goto(address);
  await other.waitForSelector('#sign-out:visible');

  const before = await page.evaluate<string>(`(() => {
    const tokens = JSON.parse(localStorage.getItem('commonplace'));
    localStorage.setItem('commonplace', JSON.stringify({ ...tokens, expires_at: 0 }));
    return tokens.access_token;
  })()`);
  const sent: string[] = [];
  context.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const refresh = `Promise.all([import('commonplace-client'), fetch('/config.json')])
    .then(async ([{ Commonplace, webStorage }, config]) => {
      const { service: baseUrl, clientId } = await config.json();
      const api = new Commonplace({ baseUrl, clientId, storage: webStorage(localStorage) });
      return (await api.currentTokens())?.access_token;
    })`;
  const [one, two] = await Promise.all([page, other].map((tab) => tab.evaluate<string>(refresh)));
  expect([typeof one, one === before, one === two]).toEqual(['string', false, true]);
  expect(sent.filter((path) => path === '/service/auth2/token')).toHaveLength(1);
  await context.close();
});
