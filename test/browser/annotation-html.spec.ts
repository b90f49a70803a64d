import { type Browser, type Page } from 'playwright-core';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { closeBrowser, openBrowser } from './browser';
import { CORPUS } from './corpus';

/** Elements, attributes and addresses that rendered text may have; anything else is active. */
const INSPECT = `(() => {
  const allowed = { A: ['href', 'rel'], IMG: ['src', 'alt'], BR: [], CODE: ['class'] };
  return [...document.querySelectorAll('#content *')].flatMap((element) => {
    const known = allowed[element.tagName];
    if (!known) return ['<' + element.tagName + '>'];
    return [...element.attributes]
      .filter(({ name, value }) => !known.includes(name) ||
        (['href', 'src'].includes(name) && !/^https?:\\/\\//.test(value)))
      .map(({ name, value }) => element.tagName + ' ' + name + '=' + value);
  });
})()`;

let harness: Harness;
let browser: Browser;
let page: Page;
let path: string;
let token: string;
beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  token = await harness.token({ userId: (await make.aUser()).id });
  path = `/v2/book/${await make.aBook()}/annotations`;
  browser = await openBrowser();
  page = await (await browser.newContext({ offline: true })).newPage();
});
afterAll(async () => {
  await closeBrowser();
  await harness.close();
});

it.each(CORPUS)('an annotation shows %j as text (XSS)', async (attack) => {
  const content = `before it ${attack} and after it`;
  const body = new URLSearchParams({ content, page: '1' });
  const made = await harness.call(path, { method: 'POST', token, body });
  expect(made.status).toBe(201);
  const response = await harness.call(`/v2/book/annotation/${made.body.id}?format=html`);
  const html = String(response.body.content);
  expect(html.startsWith('before it ')).toBe(true);

  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.setContent(`<!doctype html><div id="content">${html}</div>`);
  expect(await page.evaluate(INSPECT)).toEqual([]);
  expect(dialogs).toEqual([]);
});
