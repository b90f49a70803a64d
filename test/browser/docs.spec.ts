import { type Browser, type Page } from 'playwright-core';
import { SampleService } from '../../src/sample/sample.service';
import { figure } from '../figures';
import { startHarness, type Harness } from '../harness';
import { schemeViolations } from './axe';
import { closeBrowser, openBrowser } from './browser';

const PASSWORD = 'correct horse battery staple';
const PAGES = [
  '/docs',
  '/docs/guides/keys-and-tokens',
  // The groups with the fewest operations have all components; axe takes seconds for the largest.
  '/docs/reference/loc',
  '/docs/reference/oauth',
  '/docs/errors',
  '/docs/errors/6000',
  '/docs/search?q=isbn',
  '/docs/changelog',
];

let harness: Harness;
let browser: Browser;
beforeAll(async () => {
  harness = await startHarness({ reachable: true });
  await harness.app.get(SampleService, { strict: false }).load();
  browser = await openBrowser();
});
afterAll(async () => {
  await closeBrowser();
  await harness.close();
});

/** A page whose console must stay empty, so that the content security policy forbids nothing. */
async function newPage(
  options: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return { page, complaints };
}

it.each([
  { width: 375, colorScheme: 'dark', locale: 'zh-CN' },
  { width: 1280, colorScheme: 'light', locale: 'en-US' },
] as const)(
  'the documentation is accessible in both colour schemes, and fits, at $width in $locale',
  async (screen) => {
    const { width, ...others } = screen;
    const { page, complaints } = await newPage({ viewport: { width, height: 800 }, ...others });
    for (const path of PAGES) {
      await page.goto(harness.origin + path);
      expect([path, await schemeViolations(page, screen.colorScheme)]).toEqual([path, []]);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

it.each(['/docs', '/docs/reference/book'])(
  'the first view of %s has at most 300 KB in few requests',
  async (path) => {
    const { page } = await newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(harness.origin + path);
    const [bytes, requests, paint] = await page.evaluate<readonly [number, number, number]>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce(([bytes, requests], { transferSize }) => [bytes + transferSize, requests + 1], [0, 0])
        .concat(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)`,
    );
    expect(bytes).toBeGreaterThan(5000);
    expect(bytes).toBeLessThan(300_000);
    expect(requests).toBeLessThan(8);
    figure(`${path}: bytes of the first view`, bytes, { atMost: 300_000 });
    figure(`${path}: requests of the first view`, requests, { atMost: 7 });
    figure(`${path}: first contentful paint (ms)`, paint, { atMost: 1500 });
    await page.context().close();
  },
);

it('a developer tries an operation with a token of an own app in a few clicks', async () => {
  const { page, complaints } = await newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${harness.origin}/service/register?return_to=/service/developer`);
  await page.fill('#uid', 'docs-dev');
  await page.fill('#password', PASSWORD);
  await page.click('main button');
  await page.waitForURL('**/service/developer');
  await page.fill('#name', 'Trial');
  await page.click('main button');
  await page.waitForSelector('#client_id');
  const secret = String(await page.textContent('#secret'));
  await page.goto(`${harness.origin}/docs/reference/book`);
  await page.click('#credentials summary');
  await page.click('#try-apps');
  await page.click('#try-get-token');
  await page.waitForSelector('#try-status:not(:empty)');
  const send = async (id: string, fields: Record<string, string>): Promise<string | null> => {
    await page.evaluate(`document.querySelector('#${id} details:has(form.try)').open = true`);
    for (const [name, value] of Object.entries(fields)) {
      await page.fill(`#${id} form.try [name=${name}]`, value);
    }
    await page.click(`#${id} form.try button`);
    return page.textContent(`#${id} form.try output pre`);
  };
  expect(await send('createCollection', { id: '1', status: 'read' })).toMatch(/\n201 · /);
  expect(await send('getCollection', { id: '1' })).toContain('"status": "read"');
  expect(await send('getBook', { id: '999999' })).toContain('"code": 6000');
  await page.goto(`${harness.origin}/docs/reference/oauth`);
  await page.click('#credentials summary');
  await page.fill('#try-secret', secret);
  expect(await send('createToken', { grant_type: 'client_credentials' })).toMatch(/\n200 · /);
  await page.fill('#try-secret', 'wrong');
  expect(await send('introspectToken', { token: 'none' })).toContain('"code": 116');
  expect(complaints.filter((text) => !/40[14]/.test(text))).toEqual([]);
  await page.context().close();
});

it('works without scripts: navigation, search, and the language of the examples', async () => {
  const { page } = await newPage({ javaScriptEnabled: false, locale: 'en-US' });
  await page.goto(`${harness.origin}/docs`);
  await page.fill('#docs-search', 'collection_exist');
  await page.press('#docs-search', 'Enter');
  await page.click('dl.found a');
  expect(await page.textContent('h1')).toBe('Error 6011');
  await page.click('nav.side a[href="/docs/reference/book"]');
  expect(await page.isVisible('#getBook .sample.python')).toBe(false);
  await page.click('label[for=code-python]');
  expect(await page.isVisible('#getBook .sample.python')).toBe(true);
  expect(await page.isVisible('#getBook .sample.curl')).toBe(false);
  await page.context().close();
});
