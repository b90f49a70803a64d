import { type Browser } from 'playwright-core';
import { startHarness, type Harness } from '../harness';
import { schemeViolations } from './axe';
import { closeBrowser, openBrowser } from './browser';

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

const SCREENS = [
  { width: 375, colorScheme: 'dark', locale: 'zh-CN' },
  { width: 1280, colorScheme: 'light', locale: 'en-US' },
] as const;

it.each(SCREENS)(
  'the components at $width in $locale are accessible in both colour schemes, and fit',
  async ({ width, colorScheme, locale }) => {
    const viewport = { width, height: 800 };
    const context = await browser.newContext({ viewport, colorScheme, locale });
    const page = await context.newPage();
    for (const path of ['/docs/design', '/service/register', '/nowhere']) {
      await page.goto(harness.origin + path);
      expect([path, await schemeViolations(page, colorScheme)]).toEqual([path, []]);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    }
    await context.close();
  },
);

it('the style sheet is kept for a year if its address has its hash', async () => {
  const { text } = await harness.call('/service/register', { headers: { accept: 'text/html' } });
  const address = String(/href="(\/service\/style\.css\?v=\w+)"/.exec(text)?.[1]);
  const control = async (path: string): Promise<unknown> =>
    (await harness.call(path)).headers.get('cache-control');
  expect(await control(address)).toBe('public, max-age=31536000, immutable');
  expect(await control('/service/style.css?v=old')).toBe('public, max-age=300');
});
