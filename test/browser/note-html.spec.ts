import { type Browser, type Page } from 'playwright-core';
import { Factories } from '../factories/factories';
import { type Harness } from '../harness';
import { send } from '../e2e/notes/parts';
import { someJpeg, startWithPictures } from '../e2e/pictures/pictures';
import { closeBrowser, openBrowser } from './browser';
import { CORPUS } from './corpus';

/** Further inputs that could pass through the marks of notes. */
const OWN_CORPUS = [
  '[url=javascript:alert(1)]x[/url]',
  '[url=http://evil.example/"onmouseover="alert(1)]x[/url]',
  '[url=http://evil.example/]<script>alert(1)</script>[/url]',
  '[img=1:L]<script>alert(1)</script>[/img]',
  '[img=1:L]" onerror="alert(1)[/img]',
  '[img=1:L" onerror=alert(1)]x[/img]',
  '[img=javascript:alert(1)][/img]',
  '<图片p_1="" onerror="alert(1)">',
  '<a href="http://evil.example/&quot; onclick=&quot;alert(1)">x</a>',
  '<a href="http://evil.example/">&lt;script&gt;alert(1)&lt;/script&gt;</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="http://evil.example/" onclick="alert(1)">x</a>',
  '<a href="http://a.example"><img src=x onerror=alert(1)></a>',
];

/** Elements, attributes and addresses that a note may show; anything else is active. */
const INSPECT = `(() => {
  const allowed = {
    A: ['href', 'rel'], IMG: ['src', 'alt'], BR: [], FIGURE: ['class'], FIGCAPTION: [],
  };
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
let token: string;
let note: string;
const dialogs: string[] = [];
beforeAll(async () => {
  harness = await startWithPictures();
  const make = new Factories(harness.database);
  token = await harness.token({ userId: (await make.aUser()).id });
  const parts = { title: 't', content: 'c', pids: 'p_1', image_1: await someJpeg() };
  note = `/v2/note/${(await send(harness, token, 'POST', '/v2/notes', parts)).body.id}`;
  browser = await openBrowser();
  page = await (await browser.newContext({ offline: true })).newPage();
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
});
afterAll(async () => {
  await closeBrowser();
  await harness.close();
});

it.each([...CORPUS, ...OWN_CORPUS])('a note shows %j as text (XSS)', async (attack) => {
  const content = `before it ${attack} and after it`;
  const saved = await send(harness, token, 'PUT', note, { title: attack, content });
  expect(saved.status).toBe(202);
  for (const format of ['html_full', 'html_short']) {
    const html = String((await harness.call(`${note}?format=${format}`, { token })).body.content);
    expect(html.startsWith('before it ')).toBe(true);
    await page.setContent(`<!doctype html><div id="content">${html}</div>`);
    expect(await page.evaluate(INSPECT)).toEqual([]);
  }
  for (const format of ['text', 'abstract']) {
    const response = await harness.call(`${note}?format=${format}`, { token });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect(dialogs).toEqual([]);
});

it.each([...CORPUS, ...OWN_CORPUS])('a caption shows %j as text (XSS)', async (attack) => {
  const parts = {
    title: 't',
    content: 'c',
    pids: 'p_1',
    image_1: await someJpeg(),
    desc_1: attack,
  };
  const { status, body } = await send(harness, token, 'POST', '/v2/notes', parts);
  expect(status).toBe(201);
  const path = `/v2/note/${body.id}?format=html_full`;
  const html = String((await harness.call(path, { token })).body.content);
  expect(html).toContain('<figcaption>');
  await page.setContent(`<!doctype html><div id="content">${html}</div>`);
  expect(await page.evaluate(INSPECT)).toEqual([]);
  expect(dialogs).toEqual([]);
});
