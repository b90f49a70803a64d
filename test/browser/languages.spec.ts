import { type Browser, type Page } from 'playwright-core';
import { startHarness, type Harness } from '../harness';
import { closeBrowser, openBrowser } from './browser';

const PASSWORD = 'correct horse battery staple';

let harness: Harness;
let browser: Browser;
beforeAll(async () => {
  harness = await startHarness();
  browser = await openBrowser();
});
afterAll(async () => {
  await closeBrowser();
  await harness.close();
});

const NAMES = { en: 'English', 'zh-Hans': '简体中文', 'zh-Hant': '繁體中文' } as const;

interface Screen {
  readonly width: number;
  readonly locale: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly scripts?: boolean;
}

async function newPage({ width, locale, colorScheme, scripts = true }: Screen): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    locale,
    colorScheme,
    javaScriptEnabled: scripts,
  });
  return context.newPage();
}

const overflow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

async function register(page: Page, uid: string): Promise<void> {
  await page.fill('#uid', uid);
  await page.fill('#password', PASSWORD);
  await page.click('main button');
  await page.waitForURL('**/service/developer');
}

/** Creates an application with long texts, so that all parts of the pages have content. */
async function createApplication(page: Page): Promise<string> {
  await page.fill('#name', `${'W'.repeat(57)}阅读墙`);
  await page.fill('#redirect_uris', `http://127.0.0.1:9/back?${'long'.repeat(100)}`);
  await page.click('main button');
  return String(await page.textContent('#client_id'));
}

it.each([
  { locale: 'en-US', lang: 'en' },
  { locale: 'zh-CN', lang: 'zh-Hans' },
  { locale: 'zh-TW', lang: 'zh-Hant' },
])('pages in $lang fit screens of 360 and 1280', async ({ locale, lang }) => {
  const page = await newPage({ width: 360, locale });
  const fit = async (path: string): Promise<void> => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect([path, width, await overflow(page)]).toEqual([path, width, 0]);
    }
  };
  const look = async (path: string): Promise<void> => {
    await page.goto(harness.origin + path);
    expect([path, await page.evaluate('document.documentElement.lang')]).toEqual([path, lang]);
    await fit(path);
  };
  for (const path of ['/', '/docs', '/nowhere', '/v2/nowhere', '/service/sign-in']) {
    await look(path);
  }
  await look(`/service/auth2/auth?client_id=${'none'.repeat(20)}`);
  await look('/service/register?return_to=/service/developer');
  await register(page, `user${lang}`);
  const clientId = await createApplication(page);
  await fit('the new application');
  await look('/service/developer');
  await look(`/service/developer/applications/${clientId}`);
  await look(`/service/auth2/auth?response_type=code&client_id=${clientId}`);
  await page.route('http://127.0.0.1:9/**', (route) => route.fulfill({ body: 'back' }));
  await page.click('button[value=allow]');
  await page.waitForURL('http://127.0.0.1:9/back**');
  await look('/service/account');
});

const WITH_SCRIPTS = ['/docs', '/service/sign-in?return_to=%2Fservice%2Fdeveloper'];

describe.each([true, false])('the language switch (scripts: %s)', (scripts) => {
  it('changes the language of the current page', async () => {
    const page = await newPage({ width: 1280, locale: 'en-US', scripts });
    for (const path of scripts ? WITH_SCRIPTS : [...WITH_SCRIPTS, '/', '/nowhere']) {
      await page.goto(harness.origin + path);
      for (const lang of ['zh-Hant', 'zh-Hans', 'en'] as const) {
        await page.click(`nav.languages a:text("${NAMES[lang]}")`);
        await page.waitForSelector(`html[lang=${lang}]`, { state: 'attached' });
        expect(page.url()).toBe(harness.origin + path);
        expect(await page.textContent('nav.languages [aria-current]')).toBe(NAMES[lang]);
      }
    }
  });
});

it('the dark colour scheme has light text on a dark background', async () => {
  const brightness = async (colorScheme: 'light' | 'dark'): Promise<readonly number[]> => {
    const page = await newPage({ width: 375, locale: 'en-US', colorScheme });
    await page.goto(`${harness.origin}/service/sign-in`);
    const colors = `['color', 'backgroundColor'].map((name) => {
      const parts = getComputedStyle(document.body)[name].match(/\\d+/g).map(Number);
      return parts[0] + parts[1] + parts[2];
    })`;
    return page.evaluate<number[]>(colors);
  };
  const [ink = 0, paper = 0] = await brightness('light');
  expect(paper - ink).toBeGreaterThan(400);
  const [light = 0, dark = 0] = await brightness('dark');
  expect(light - dark).toBeGreaterThan(400);
});
