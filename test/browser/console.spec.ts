import { type Browser, type BrowserContext } from 'playwright-core';
import { Factories } from '../factories/factories';
import { atScale } from '../figures';
import { startHarness, type Harness } from '../harness';
import { signedInAdministrator } from '../e2e/console/administrator';
import { ban } from '../e2e/moderation/words';
import { aClient } from '../e2e/oauth/flows';
import { schemeViolations } from './axe';
import { closeBrowser, openBrowser } from './browser';
import { CORPUS } from './corpus';

/** Texts that wait for a decision; all together have every attack of the corpus. */
const TEXTS = atScale(50, 10);
const ATTACKS = Math.ceil(CORPUS.length / TEXTS);

let harness: Harness;
let browser: Browser;
let session: string;
let clientId: string;
let book: number;
let twin: number;
beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  session = (await signedInAdministrator(harness, 'root')).cookie;
  ({ clientId } = await aClient(harness));
  book = await make.aBook({ title: CORPUS[0], summary: CORPUS.join('\n') });
  twin = await make.aBook({ title: CORPUS[0], subtitle: CORPUS[1] });
  await harness.database.source.query(
    'UPDATE applications SET name = $1, redirect_uris = ARRAY[$2]',
    ['<img src=x onerror=alert(1)>', 'https://partner.example/"><script>alert(1)</script>'],
  );
  await ban(harness, 'hold', 'casino');
  const token = await harness.token({ userId: (await make.aUser({ name: CORPUS[2] })).id });
  for (let at = 0; at < TEXTS; at += 1) {
    const attacks = CORPUS.slice(at * ATTACKS, (at + 1) * ATTACKS).join(' ');
    const content = `${attacks} casino ${at}`;
    const body = new URLSearchParams({ title: `Day ${at}`, content });
    await harness.call('/v2/notes', { method: 'POST', token, body });
  }
  await harness.database.source.query(
    `INSERT INTO reports (kind, target_id, user_id, reason)
     SELECT k.kind, n.id, u.id, $1 FROM (SELECT min(id) AS id FROM notes) n,
       (SELECT id FROM users LIMIT 2) u, (VALUES ('note'), ('user'), ('photo')) k(kind)`,
    [CORPUS.join(' ').slice(0, 1000)],
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await closeBrowser();
  await harness.close();
});

async function signedIn(options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addCookies([{ name: 'commonplace_login', value: session, url: harness.origin }]);
  return context;
}

const pages = (): string[] => [
  ...['', '/log', '/queue', '/reports', '/words?text=A+casino&word=casino', '/settings'],
  ...['/applications', `/applications/${clientId}`, '/users', '/users/1', '/transfers'],
  ...['/catalogue', `/catalogue/books/${book}`, '/catalogue/subjects/new'],
  ...[`/catalogue/books/${twin}/merge?into=${book}`, '/series', '/showings', '/charts'],
];

it.each([
  { width: 375, colorScheme: 'dark', locale: 'zh-CN' },
  { width: 1280, colorScheme: 'light', locale: 'en-US' },
] as const)(
  'pages at $width are accessible in both colour schemes, fit, and run no script of a user',
  async ({ width, ...options }) => {
    const context = await signedIn({ viewport: { width, height: 800 }, ...options });
    const page = await context.newPage();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const path of pages()) {
      const response = await page.goto(`${harness.origin}/admin${path}`);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect([path, await schemeViolations(page, options.colorScheme)]).toEqual([path, []]);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    }
    expect(dialogs).toEqual([]);
    await context.close();
  },
);

it(`decides ${TEXTS} texts with ${TEXTS} keys, undoes each with one, and decides all with two`, async () => {
  const context = await signedIn({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${harness.origin}/admin/queue`);
  const entries = (): Promise<number> =>
    page.evaluate<number>(`document.querySelectorAll('.entry').length`);
  let keys = 0;
  while ((await entries()) > 0) {
    keys += 1;
    const loaded = page.waitForEvent('load');
    await page.keyboard.press(keys % 3 === 0 ? 'r' : 'a');
    await loaded;
  }
  expect(keys).toBe(TEXTS);
  const press = async (key: string): Promise<number> => {
    const loaded = page.waitForEvent('load');
    await page.keyboard.press(key);
    await loaded;
    return entries();
  };
  expect([await press('u'), await press('u')]).toEqual([1, 2]);
  await page.keyboard.press('X');
  expect(await press('R')).toBe(0);
  await context.close();
});
