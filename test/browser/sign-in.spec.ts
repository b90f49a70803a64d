import { type Browser as Chromium, type Page } from 'playwright-core';
import { Attempts } from '../../src/oauth/attempts';
import { startHarness, type Harness } from '../harness';
import { Browser } from '../e2e/oauth/browser';
import { closeBrowser, openBrowser } from './browser';

const PASSWORD = 'correct horse battery';
const SIGN_IN = '/service/sign-in';

/** Behind one proxy, the address of a client is what the proxy says; browsers come without one. */
let harness: Harness;
let chrome: Chromium;
beforeAll(async () => {
  const settings = { TRUSTED_PROXIES: '1', CAPTCHA_DIFFICULTY: '20000' };
  harness = await startHarness({ settings });
  chrome = await openBrowser();
});
afterAll(async () => {
  await closeBrowser();
  await harness.close();
});

/** Somebody who guesses at a user's password from ever new addresses, until stopped. */
class Attacker {
  guesses = 0;
  private readonly browser = new Browser(harness);
  private stopped = false;
  private readonly going: Promise<void>;

  constructor(private readonly uid: string) {
    this.going = this.guess();
  }

  private async guess(): Promise<void> {
    const form_token = await this.browser.formToken();
    while (!this.stopped) {
      this.guesses += 1;
      const { status } = await this.browser.post(
        SIGN_IN,
        { uid: this.uid, password: `guess ${this.guesses}`, form_token },
        { 'x-forwarded-for': `198.51.${this.guesses >> 8}.${this.guesses & 255}` },
      );
      if (status !== 403 && status !== 429) throw new Error(`the attacker got ${status}`);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.going;
  }
}

/** Makes an account whose counter is full, as after an hour of an attack. */
async function besieged(uid: string): Promise<void> {
  await new Browser(harness).register(uid);
  const attempts = harness.app.get(Attempts, { strict: false });
  while ((await attempts.tryConsume(['user', uid])) === undefined);
}

interface Device {
  readonly width: number;
  readonly locale: string;
  readonly scripts?: boolean;
}

/** A browser that nobody has used, and what its pages complained of. */
async function newBrowser({ width, locale, scripts = true }: Device) {
  const context = await chrome.newContext({
    viewport: { width, height: 800 },
    locale,
    javaScriptEnabled: scripts,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // That an attempt was refused is what the page is about.
    if (message.type() === 'error' && !message.text().includes('status of 4')) {
      complaints.push(message.text());
    }
  });
  return { page, complaints };
}

async function enter(page: Page, uid: string, password = PASSWORD): Promise<void> {
  await page.fill('#uid', uid);
  await page.fill('#password', password);
  await Promise.all([page.waitForLoadState('load'), page.click('main button')]);
}

describe('the owner of an account under a password attack', () => {
  it('signs in with a new browser during the attack, and without a challenge the next time', async () => {
    await besieged('owner');
    const attacker = new Attacker('owner');
    const { page, complaints } = await newBrowser({ width: 1280, locale: 'en-US' });
    await page.goto(`${harness.origin}${SIGN_IN}`);
    await enter(page, 'owner');
    // The page asks for the password again, and solves its task meanwhile.
    await page.waitForSelector('#challenge:not([hidden])');
    expect(await page.inputValue('#uid')).toBe('owner');
    expect(await page.inputValue('#password')).toBe('');
    await page.fill('#password', PASSWORD);
    await page.click('main button');
    await page.waitForURL('**/service/account');

    await page.click('header form[method=post] button');
    await page.waitForURL(`**${SIGN_IN}`);
    await enter(page, 'owner');
    await page.waitForURL('**/service/account');
    await attacker.stop();
    expect(attacker.guesses).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  });

  it('gets an error at once for a wrong password, and can retry', async () => {
    await besieged('hasty');
    const { page } = await newBrowser({ width: 1280, locale: 'en-US' });
    await page.goto(`${harness.origin}${SIGN_IN}`);
    await enter(page, 'hasty', 'a wrong one');
    await page.fill('#password', 'another wrong one');
    await page.click('main button');
    await page.waitForSelector('p.error:has-text("is incorrect")');
    await page.waitForSelector('#challenge:not([hidden])');
    await page.fill('#password', PASSWORD);
    await page.click('main button');
    await page.waitForURL('**/service/account');
  });
});

describe.each([
  { locale: 'en-US', working: /The task is solved/, wait: /Try again in \d+/ },
  { locale: 'zh-CN', working: /计算已完成/, wait: /请在 \d+/ },
])('the page that asks for a challenge ($locale)', ({ locale, working, wait }) => {
  const uid = `page${locale}`;
  beforeAll(() => besieged(uid));

  const fits = async (page: Page): Promise<void> => {
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([width, await page.evaluate(wide)]).toEqual([width, 0]);
    }
  };

  it('shows the progress, and fits screens of 375 and 1280', async () => {
    const { page, complaints } = await newBrowser({ width: 375, locale });
    await page.goto(`${harness.origin}${SIGN_IN}`);
    await enter(page, uid);
    await page.locator('#challenge-state').filter({ hasText: working }).waitFor();
    expect(await page.isVisible('#challenge-progress')).toBe(false);
    await fits(page);
    expect(complaints).toEqual([]);
  });

  it('shows how long to wait without scripts, and the alternatives', async () => {
    const { page } = await newBrowser({ width: 375, locale, scripts: false });
    await page.goto(`${harness.origin}${SIGN_IN}`);
    await enter(page, uid);
    expect(await page.textContent('noscript p.error')).toMatch(wait);
    expect(await page.isVisible('#challenge')).toBe(false);
    await fits(page);
  });
});
