import { type Browser, type Page } from 'playwright-core';
import { SampleService } from '../../src/sample/sample.service';
import { Factories } from '../factories/factories';
import { MovieFactories } from '../factories/movies';
import { startHarness, type Harness } from '../harness';
import { schemeViolations } from './axe';
import { closeBrowser, openBrowser } from './browser';
import { CORPUS } from './corpus';

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

/** Active content of a page besides the style sheet, and addresses that are no addresses of pages. */
const ACTIVE = `[...document.querySelectorAll('body *, head script')].flatMap((element) => {
  const { tagName, attributes, type } = element;
  const isData = tagName === 'SCRIPT' && type === 'application/ld+json';
  const active = /^(SCRIPT|IFRAME|OBJECT|EMBED|BASE|META|LINK|STYLE|TEMPLATE)$/.test(tagName) && !isData;
  const handlers = [...attributes].filter(({ name, value }) =>
    /^on/.test(name) || name === 'style' || name === 'srcdoc' || name === 'contenteditable' ||
    (/^(href|src|action)$/.test(name) && !/^(https?:\\/\\/|\\/|#|\\?)/.test(value)));
  return active || handlers.length > 0 ? [element.outerHTML.slice(0, 200)] : [];
})`;

const FORMULA =
  '<tex>\\href{javascript:alert(1)}{x} \\style{color:red}{y} \\text{<img src=x onerror=alert(1)>}</tex>';

/** Puts every attack into every field that pages show. @returns the pages */
async function attack(): Promise<readonly string[]> {
  const make = new Factories(harness.database);
  const films = new MovieFactories(harness.database);
  const text = [...CORPUS, FORMULA].join(' ');
  const address = 'javascript:alert(1)//';
  const { id: author_id, uid } = await make.aUser({ name: text, signature: text });
  const book = await make.aBook({
    ...{ title: text, subtitle: text, origin_title: text, alt_title: text, publisher: text },
    ...{
      author: [text],
      translator: [text],
      binding: text,
      price: text,
      pages: text,
      pubdate: text,
    },
    ...{ summary: text, author_intro: text, catalog: text, ebook_price: text },
    ...{ tags: [{ name: text.slice(0, 20), count: 3 }], series: { id: '5', title: text } },
  });
  const annotation = await make.anAnnotation({
    author_id,
    book_id: book,
    content: text,
    chapter: text.slice(0, 90),
  });
  const note = await make.aNote({ author_id, title: text, content: text });
  await make.aReply(note.id, { author_id, content: text });
  const city = await make.aCity({ uid: 'here', name: text });
  const event = await make.anEvent({
    ...{ owner_id: author_id, loc_id: city.id, title: text, content: text, address: text },
  });
  const film = await films.aSubject({
    ...{ title: text, original_title: text, summary: text, aka: [text], genres: [text] },
    ...{
      countries: [text],
      languages: [text],
      durations: [text],
      pubdates: [text],
      year: text.slice(0, 4),
    },
    ...{ website: address, trailer_urls: [address], tags: [text.slice(0, 20)] },
  });
  const person = await films.aCelebrity({
    ...{ name: text, name_en: text, summary: text, aka: [text], born_place: text, gender: text },
    ...{ professions: [text], website: address, birthday: text.slice(0, 10) },
  });
  await films.credits(person, [film], () => ({ roles: [text] }));
  const [review] = await films.reviews(film, 1, () => ({ title: text, summary: text }));
  await films.comments(film, 1, () => ({ content: text }));
  const [photo] = await films.photos({ subject_id: film }, 1, () => ({
    desc: text,
    image: address,
  }));
  return [
    ...['/', '/book/', `/book/${book}/`, '/book/series/5/', `/book/annotation/${annotation.id}/`],
    ...[
      '/movie/',
      `/movie/subject/${film}/`,
      `/movie/celebrity/${person}/`,
      `/movie/review/${review}/`,
    ],
    ...[
      `/movie/photo/${photo}/`,
      `/event/${event.id}/`,
      '/event/list?loc=here',
      `/note/${note.id}/`,
    ],
    ...[`/people/${uid}/`, `/search?q=${encodeURIComponent(text.slice(0, 150))}`],
  ];
}

describe('the pages of hostile content (XSS)', () => {
  it('show it as text', async () => {
    const paths = await attack();
    const context = await browser.newContext({ offline: false });
    const page = await context.newPage();
    const ran: string[] = [];
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    for (const path of paths) {
      const response = await page.goto(harness.origin + path);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect([path, await page.evaluate(ACTIVE)]).toEqual([path, []]);
      expect([path, (await page.textContent('body'))?.includes('<scr')]).toEqual([path, true]);
    }
    expect(ran).toEqual([]);
    await context.close();
  });
});

const KINDS = [
  ...['/', '/book/', '/book/1/', '/book/series/1/', '/book/annotation/1/', '/review/1/'],
  ...['/movie/', '/movie/subject/1001/', '/movie/subject/1001/photos/', '/movie/celebrity/2001/'],
  ...['/movie/photo/3001/', '/movie/chart/us_box', '/movie/subject/1002/cinema/', '/event/list'],
  ...['/event/1/', '/note/1/', '/people/linmo/', '/search?q=%E4%B8%89', '/book/999999999/'],
];

const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Axe checks pages at one width in a language: their structure is the same in all languages. */
const READERS: readonly { locale: string; axeWidth?: number; checks: string }[] = [
  { locale: 'en-US', axeWidth: 1280, checks: 'and is accessible in both colour schemes at 1280' },
  { locale: 'zh-TW', axeWidth: 375, checks: 'and is accessible in both colour schemes at 375' },
  { locale: 'zh-CN', checks: 'with texts of other lengths' },
];

/**
 * Follows the focus: of each element that gets it, the position among the tabbable elements, which
 * are visible, and whether the element is marked.
 */
const FOLLOW = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const tabbable = [...document.querySelectorAll(selector)]
    .filter((one) => one.tabIndex >= 0 && one.type !== 'hidden' && one.checkVisibility());
  window.visits = [];
  document.addEventListener('focusin', ({ target }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
    window.visits.push({ at: tabbable.indexOf(target), isMarked });
  });
  return tabbable.length;
})()`;

interface Visit {
  readonly at: number;
  readonly isMarked: boolean;
}

describe('every kind of page', () => {
  beforeAll(() => harness.app.get(SampleService, { strict: false }).load());

  const open = async (page: Page, path: string): Promise<void> => {
    const opened = await page.goto(harness.origin + path);
    expect([path, opened?.status()]).toEqual([path, path.includes('999999999') ? 404 : 200]);
  };

  it.each(READERS)('fits at 375 and 1280 in $locale, $checks', async ({ locale, axeWidth }) => {
    const page = await browser.newPage({ locale, colorScheme: 'light' });
    const widths = [375, 1280];
    for (const path of KINDS) {
      // The next page opens at the width of this one.
      for (const width of widths.reverse()) {
        await page.setViewportSize({ width, height: 800 });
        if (width === widths[0]) await open(page, path);
        expect([path, width, await page.evaluate(WIDE)]).toEqual([path, width, 0]);
        if (width !== axeWidth) continue;
        expect([path, await schemeViolations(page, 'light')]).toEqual([path, []]);
      }
    }
    await page.close();
  });

  it('is reached with the keyboard in full, and marks the focus', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    for (const path of KINDS) {
      await open(page, path);
      const total = await page.evaluate<number>(FOLLOW);
      // The key is held.
      for (let press = 0; press < total; press += 1) await page.keyboard.down('Tab');
      await page.keyboard.up('Tab');
      const visits = await page.evaluate<Visit[]>('window.visits');
      const reached = new Set(visits.map(({ at }) => at));
      const unmarked = visits.filter(({ isMarked }) => !isMarked).map(({ at }) => at);
      expect([path, reached.size, unmarked]).toEqual([path, total, []]);
    }
    await page.close();
  });

  it.each([480, 1060])('of the front page fits at %i', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(harness.origin);
    expect(await page.evaluate(WIDE)).toBe(0);
    await page.close();
  });

  it('prints its content without navigation', async () => {
    const page = await browser.newPage();
    await page.emulateMedia({ media: 'print' });
    await page.goto(`${harness.origin}/book/1/`);
    const shown = (selector: string) => page.locator(selector).first().isVisible();
    expect([await shown('h1'), await shown('.facts'), await shown('.hero img')]).toEqual([
      ...[true, true, true],
    ]);
    expect([await shown('form.search'), await shown('nav.areas')]).toEqual([false, false]);
    await page.close();
  });
});
