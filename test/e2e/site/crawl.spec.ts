import { gzipSync } from 'node:zlib';
import { CITIES, LISTS } from './lists';
import { SampleService } from '../../../src/sample/sample.service';
import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { figure } from '../../figures';
import { startHarness, type Harness } from '../../harness';
import { addressesIn, catalogueFaultsOf, Crawler, structuredData } from './crawler';
import { BASE_URL } from '../../settings';
import { parseXml } from './xml';

/** Areas of the catalogue. The documentation, the console and the pages of accounts have tests of their own. */
const CATALOGUE =
  /^\/($|\?|book|review|ebook|movie|event|note|people|search|pictures|sitemap|robots|favicon)/;

/** Pages of the catalogue that search engines do not index. */
const UNINDEXED = /^\/search/;

let harness: Harness;
let crawler: Crawler;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  await harness.app.get(SampleService, { strict: false }).load();
  make = new Factories(harness.database);
  const userId = Number((await make.aUser()).id);
  const token = await harness.token({ userId });
  // Each language and each start of a list would multiply the pages.
  crawler = new Crawler(
    harness,
    (path) => CATALOGUE.test(path) && !/[?&](lang|day_type|type)=/.test(path),
  );
  crawler.add('/', '/');
  for (const path of ['/sitemap.xml', '/robots.txt', ...CITIES]) crawler.add(path, '/');
  for (const path of LISTS) {
    const response = await harness.call(path, { token });
    expect([path, response.status]).toEqual([path, 200]);
    for (const address of addressesIn(response.body)) crawler.add(address, path);
  }
  await crawler.run();
}, 120_000);
afterAll(() => harness.close());

const typeOf = (path: string): string =>
  String(crawler.pages.get(path)?.headers.get('content-type'));
const htmlPages = () =>
  [...crawler.pages].filter(
    ([path, { status }]) => status === 200 && typeOf(path).startsWith('text/html'),
  );

describe('every address of the API and of the pages', () => {
  it('leads to a page or file', () => {
    expect(crawler.faults).toEqual([]);
    expect(htmlPages().length).toBeGreaterThan(500);
    expect(crawler.pages.size).toBeGreaterThan(1000);
  });

  it('has title, description, language and canonical address', () => {
    const faults = htmlPages()
      .filter(([path]) => !UNINDEXED.test(path))
      .flatMap(([path, response]) =>
        catalogueFaultsOf(response).map((fault) => `${path}: ${fault}`),
      );
    expect(faults).toEqual([]);
    const sizes = htmlPages().map(([, { text }]) => Buffer.byteLength(text));
    figure('bytes of the largest page', Math.max(...sizes), { atMost: 61_440 });
  });

  it('has at most 20 KB when compressed', async () => {
    const sizes = htmlPages().map(([, { text }]) => gzipSync(text, { level: 1 }).length);
    figure('compressed bytes of the largest page', Math.max(...sizes), { atMost: 20_480 });
    expect(Math.max(...sizes)).toBeLessThan(20 * 1024);
    const headers = { 'accept-encoding': 'br' };
    const { status, headers: sent } = await harness.call('/movie/', { headers });
    expect([status, sent.get('content-encoding')]).toEqual([200, 'br']);
  });

  it('names JSON that anonymous callers may read', async () => {
    const byKind = new Map<string, string>();
    for (const [, { text }] of htmlPages())
      for (const [, href = ''] of text.matchAll(/type="application\/json"[^>]*?href="([^"]+)"/g))
        byKind.set(href.replace(/\d+|=[^&]*/g, ''), href.replaceAll('&amp;', '&'));
    expect(byKind.size).toBeGreaterThan(10);
    const refused: unknown[] = [];
    for (const href of byKind.values()) {
      const { status } = await harness.call(href.replace(BASE_URL, ''));
      if (status !== 200) refused.push([href, status]);
    }
    expect(refused).toEqual([]);
  });

  it('has structured data with type and name', () => {
    const kinds = new Set<string>();
    for (const [path, { text }] of htmlPages()) {
      for (const data of structuredData(text)) {
        expect([path, data['@context']]).toEqual([path, 'https://schema.org']);
        kinds.add(String(data['@type']));
      }
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining(['Book', 'Movie', 'Person', 'Event', 'Review', 'WebSite', 'ItemList']),
    );
  });

  it('has feeds and site maps that are well-formed', async () => {
    const files = [...crawler.pages].filter(([path]) => /\.(atom|xml)$/.test(path));
    expect(files.length).toBeGreaterThan(20);
    for (const [path, { text }] of files) {
      const root = parseXml(text);
      const wanted = path.endsWith('.atom')
        ? 'feed'
        : path === '/sitemap.xml'
          ? 'sitemapindex'
          : 'urlset';
      expect([path, root.name]).toEqual([path, wanted]);
      if (wanted !== 'feed') continue;
      const names = root.children.map(({ name }) => name);
      expect([path, names]).toEqual([
        path,
        expect.arrayContaining(['id', 'title', 'updated', 'author', 'link']),
      ]);
      for (const entry of root.children.filter(({ name }) => name === 'entry')) {
        const has = entry.children.map(({ name }) => name);
        expect(has).toEqual(['id', 'title', 'link', 'author', 'published', 'updated', 'summary']);
      }
    }
    const map = await harness.call('/sitemap/books/0.xml');
    const { total } = (await harness.call('/v2/book/search?tag=%E5%B0%8F%E8%AF%B4&count=1'))
      .body as {
      total: number;
    };
    expect(parseXml(map.text).children.length).toBeGreaterThanOrEqual(total);
  });
});

it('a page of the catalogue is repeated with 304, and names its JSON', async () => {
  const first = await harness.call('/book/1/');
  const tag = String(first.headers.get('etag'));
  const again = await harness.call('/book/1/', { headers: { 'if-none-match': tag } });
  expect([again.status, again.text]).toEqual([304, '']);
  expect(first.text).toContain('type="application/json"');
  expect(first.headers.get('cache-control')).toBe('no-cache');
});

it('pages name closed lists in their language, the rank of a film, and load pictures of texts late', async () => {
  const textOf = async (path: string): Promise<string> => (await harness.call(path)).text;
  const person = await textOf('/movie/celebrity/2001/?lang=en');
  expect(person).toMatch(/<dd>\s*(Male|Female)\s*<\/dd>/);
  expect(person).not.toMatch(/>\s*(演员|导演|男|女)\s*</);
  const [best] = (await harness.call('/v2/movie/top250?count=1')).body.subjects as { id: string }[];
  const film = await textOf(`/movie/subject/${best?.id}/?lang=en`);
  expect(film).toContain('No. 1 in Top 250');
  expect(film).toContain('Cast and crew');
  expect(film).toMatch(/"director":\[\{"@type":"Person","name":"[^"]+","url":"http/);
  const chart = await textOf('/movie/chart/in_theaters?lang=en');
  expect(chart).toContain('<p class="lead">Films showing in 北京</p>');
  const pictures = htmlPages().flatMap(([path, { text }]) =>
    /^\/(note|book\/annotation)\//.test(path) ? (text.match(/<img [^>]*>/g) ?? []) : [],
  );
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((picture) => !picture.includes('loading="lazy"'))).toEqual([]);
});

it('uploaded pictures have their size', async () => {
  const hash = 'ab'.repeat(32);
  await harness.source.query(
    `INSERT INTO pictures (hash, extension, width, height, bytes)
     VALUES (decode($1, 'hex'), 'jpg', 640, 480, 1)`,
    [hash],
  );
  const { id } = await new Factories(harness.database).aNote({
    ...{ content: '<图片p_1>', photos: { 1: `/pictures/u/${hash}-l.jpg` } },
  });
  const { text } = await harness.call(`/note/${id}/`);
  expect(text).toMatch(/<img loading="lazy" decoding="async" width="640" height="480" src="/);
});

it('a book shows its ratings on this service from five on, and half stars', async () => {
  const make = new Factories(harness.database);
  const rated = async (count: number): Promise<string> => {
    const book_id = await make.aBook({ rating: { average: '8.8', numRaters: 900 } });
    for (let at = 0; at < count; at += 1) await make.aCollection({ book_id, rating: 4 });
    return (await harness.call(`/book/${book_id}/?lang=en`)).text;
  };
  expect(await rated(4)).not.toContain('ratings on this service');
  const page = await rated(5);
  expect(page).toContain('5 ratings on this service');
  expect(page).toMatch(/<meter min="0" max="5" value="5"/);
  expect(page).toMatch(/★★★★<span class="half">☆<\/span>\s*<\/span/);
});

it('lang in the address selects the language, which the cookie does not change', async () => {
  for (const lang of ['en', 'zh-Hans', 'zh-Hant']) {
    const { text } = await harness.call(`/book/1/?lang=${lang}`, {
      headers: { 'accept-language': 'zh-CN', cookie: 'commonplace_language=zh-Hant' },
    });
    expect(text).toContain(`<html lang="${lang}">`);
    expect(text).toContain('<link rel="canonical" href="http://web.test/book/1/" />');
    expect(text).not.toContain(`return_to=%2Fbook%2F1%2F%3Flang`);
  }
});

const read = async (path: string, language = 'en'): Promise<string> => {
  const headers = { accept: 'text/html', 'accept-language': language };
  const { status, text } = await harness.call(path, { headers });
  expect([path, status]).toEqual([path, 200]);
  return text;
};
const countOf = (text: string, part: string): number => text.split(part).length - 1;
const NOINDEX = '<meta name="robots" content="noindex" />';

describe('the search', () => {
  it('counts all people and events, and shows them in pages', async () => {
    const films = new MovieFactories(harness.database);
    const { loc_id, owner_id } = await make.anEvent();
    for (let at = 0; at < 23; at += 1) {
      await films.aCelebrity({ name: `Quillon ${at}` });
      await make.anEvent({ title: `Quillon ${at}`, loc_id, owner_id });
    }
    const all = await read('/search?q=quillon');
    expect(countOf(all, 'All <small>23</small>')).toBe(2);
    for (const kind of ['person', 'event']) {
      const first = await read(`/search?q=quillon&kind=${kind}`);
      const second = await read(`/search?q=quillon&kind=${kind}&start=20`);
      expect([first, second].map((text) => countOf(text, '<mark>'))).toEqual([20, 3]);
      expect(first).toContain(`kind=${kind}&amp;start=20`);
      expect(second).toContain('21–23 of 23');
    }
    expect(await read('/search?q=quillon', 'zh-CN')).toContain('全部 <small>23</small>');
  });

  it('marks words in titles, authors and original titles, without regard to accents', async () => {
    await make.aBook({ title: 'Zwischenraum', origin_title: 'Été', author: ['Léonie Q.'] });
    const text = await read('/search?q=leonie+ete');
    expect(text).toContain('<mark>Léonie</mark> Q.');
    expect(text).toContain('<mark>Été</mark>');
    expect(text).toContain('<h1>Search: leonie ete</h1>');
    expect(countOf(text, 'role="search"')).toBe(1);
  });
});

describe('events', () => {
  it('of a person count once each, and past ones are apart', async () => {
    const { id: owner_id, uid } = await make.aUser();
    const past = { begin_time: '2020-01-01 10:00:00', end_time: '2020-01-01 12:00:00' };
    const own = await make.anEvent({ owner_id });
    await make.anEvent({ owner_id, ...past });
    const joined = [await make.anEvent({}), await make.anEvent(past), own];
    await make.participations(...joined.map(({ id }) => ({ event_id: id, user_id: owner_id })));
    const text = await read(`/people/${uid}/`);
    expect(text).toContain('All <small>4</small>');
    const titles = [...text.matchAll(/<h3>([^<]+)<\/h3>/g)].map(([, title]) => title);
    expect(titles).toEqual(['Organizes', 'Takes part in', 'Organized', 'Took part in']);
    expect(countOf(text, `href="/event/${own.id}/"`)).toBe(1);
  });

  it('of a city lead to those of other cities, and have one link to all cities', async () => {
    const text = await read('/event/list?loc=beijing');
    expect(text).toMatch(/href="\/event\/list\?loc=shanghai"/);
    expect([countOf(text, 'All cities'), countOf(text, 'Reset filters')]).toEqual([1, 1]);
    const filtered = await read('/event/list?loc=beijing&day_type=week&type=music');
    expect(filtered).toMatch(/<title>[^<]+ · This week · Music/);
  });

  it('of a night name the day on which they begin, and both times', async () => {
    const { id: loc_id, uid } = await make.aCity();
    const night = { begin_time: '2050-11-25 22:00:00', end_time: '2050-11-26 03:30:00' };
    await make.anEvent({ loc_id, ...night });
    const text = await read(`/event/list?loc=${uid}`);
    expect(text).toMatch(/<b>Fri, Nov 25, 2050, 22:00\s–\s03:30<\/b>/);
    const chinese = await read(`/event/list?loc=${uid}`, 'zh-CN');
    expect(chinese).toMatch(/<b>2050\/11\/25周五 22:00\s–\s03:30<\/b>/);
  });

  it('have a file for calendars, which is no request of the API; private ones have none', async () => {
    const { id } = await make.anEvent({});
    const path = `/event/${id}/calendar.ics`;
    expect(await read(`/event/${id}/`)).toContain(`href="${path}"`);
    const { headers } = await harness.call(path);
    expect([headers.get('content-type'), headers.get('x-ratelimit-limit')]).toEqual([
      ...['text/calendar; charset=utf-8', null],
    ]);
    expect(await read(path)).toContain('BEGIN:VEVENT');
    await harness.source.query('UPDATE events SET private = true WHERE id = $1', [id]);
    expect((await harness.call(path)).status).toBe(404);
  });
});

it('control characters in an address are ignored', async () => {
  const statusOf = async (path: string) => (await harness.call(path)).status;
  expect(await statusOf('/search?q=%00%E4%B8%89%E4%BD%93')).toBe(200);
  expect(await statusOf('/book/tag/%E7%A7%91%00%E5%B9%BB')).toBe(200);
  expect(await statusOf('/book/tag/%00')).toBe(404);
});

it('lists past their end and lists without elements say so', async () => {
  const empty = await read('/book/tag/nosuchtag');
  expect([empty.includes(NOINDEX), empty.includes('class="empty"')]).toEqual([true, true]);
  for (const path of ['/book/series/1/', '/event/list', '/movie/chart/top250', '/people/linmo/']) {
    const text = await read(`${path}?start=5000${path.startsWith('/people') ? '&view=shelf' : ''}`);
    expect([path, countOf(text, 'class="empty"')]).toEqual([path, 1]);
    expect([path, countOf(text, 'To the first page')]).toEqual([path, 1]);
    expect([path, countOf(text, 'class="pages"')]).toEqual([path, 0]);
  }
});
