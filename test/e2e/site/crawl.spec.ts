import { gzipSync } from 'node:zlib';
import { CITIES, LISTS } from './lists';
import { SampleService } from '../../../src/sample/sample.service';
import { Factories } from '../../factories/factories';
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
});
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
