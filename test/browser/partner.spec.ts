import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { type Browser, type Page } from 'playwright-core';
import { startHarness, type Harness } from '../harness';
import { closeBrowser, openBrowser } from './browser';

const PASSWORD = 'correct horse battery staple';

let harness: Harness;
let browser: Browser;
/** The partner's own site: its page shows what it was sent. */
let partner: Server;
let redirectUri: string;

beforeAll(async () => {
  harness = await startHarness();
  browser = await openBrowser();
  partner = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://partner.test');
    if (pathname === '/home') {
      response.setHeader('Content-Type', 'text/html').end('<h1>partner</h1>');
      return;
    }
    // On to another origin, as partners do with their own names.
    const { port } = partner.address() as AddressInfo;
    response.writeHead(302, { Location: `http://localhost:${port}/home${search}` }).end();
  }).listen(0, '127.0.0.1');
  await once(partner, 'listening');
  redirectUri = `http://127.0.0.1:${(partner.address() as AddressInfo).port}/back`;
});

afterAll(async () => {
  await closeBrowser();
  partner.close();
  await harness.close();
});

/** Somebody at a browser: the pages they see and the fields they fill in are counted. */
class Person {
  readonly pages = new Set<string>();
  fields = 0;

  constructor(readonly page: Page) {
    page.on('framenavigated', (frame) => {
      const { origin, pathname } = new URL(frame.url());
      if (frame === page.mainFrame() && origin === harness.origin) this.pages.add(pathname);
    });
  }

  async fill(field: string, text: string): Promise<void> {
    this.fields += 1;
    await this.page.fill(field, text);
  }

  async press(button: string): Promise<void> {
    await Promise.all([this.page.waitForLoadState('load'), this.page.click(button)]);
  }
}

async function newPerson(options: { width: number; locale: string }): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: options.width, height: 800 },
    locale: options.locale,
    // The pages work without scripts.
    javaScriptEnabled: false,
  });
  return new Person(await context.newPage());
}

describe.each([
  { device: 'a desktop, in English', width: 1280, locale: 'en-US', revoke: 'Revoke access' },
  { device: 'a phone, in Chinese', width: 360, locale: 'zh-CN', revoke: '取消授权' },
])('a partner on $device', ({ width, locale, revoke }) => {
  it('signs up, creates an application, gets a token and calls the API, and loses access when the user revokes it', async () => {
    const person = await newPerson({ width, locale });
    const { page } = person;
    const uid = `partner${width}`;

    await page.goto(`${harness.origin}/service/register?return_to=/service/developer`);
    await person.fill('#uid', uid);
    await person.fill('#password', PASSWORD);
    await person.press('main button');

    await page.waitForURL('**/service/developer');
    await person.fill('#name', 'Reading wall');
    await person.fill('#redirect_uris', redirectUri);
    await person.press('main button');
    const clientId = String(await page.textContent('#client_id'));
    const secret = String(await page.textContent('#secret'));
    expect(secret).toMatch(/^cpcs_/);

    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'book_basic_r',
      state: 'from the partner',
    });
    await page.goto(`${harness.origin}/service/auth2/auth?${query.toString()}`);
    expect(await page.textContent('h1')).toContain('Reading wall');
    await person.press('button[value=allow]');
    await page.waitForURL('http://localhost:*/home?**');
    const response = new URL(page.url()).searchParams;
    expect(response.get('state')).toBe('from the partner');

    const token = await harness.call('/service/auth2/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: String(response.get('code')),
        redirect_uri: redirectUri,
        client_id: clientId,
        client_secret: secret,
      }),
    });
    expect(token.status).toBe(200);
    const path = `/v2/book/user/${uid}/collections`;
    const call = () => harness.call(path, { token: String(token.body.access_token) });
    expect((await call()).status).toBe(200);

    await page.goto(`${harness.origin}/service/account`);
    expect(await page.textContent('main')).toContain('Reading wall');
    await person.press(`button:text("${revoke}")`);
    await page.waitForURL('**/service/account?did=revoke');
    const refused = await call();
    expect([refused.status, refused.body.code]).toEqual([401, 103]);

    expect([...person.pages]).toEqual([
      '/service/register',
      '/service/developer',
      `/service/developer/applications/${clientId}/keys`,
      '/service/auth2/auth',
      '/service/account',
    ]);
    expect(person.fields).toBe(4);
  });
});
