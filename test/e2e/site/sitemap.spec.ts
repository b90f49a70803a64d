import { unavailable } from '../../../src/api/errors/error-codes';
import { type Database } from '../../../src/database/database';
import { SITEMAP_ROWS } from '../../../src/site/feeds/sitemap.service';
import { startHarness, type Harness } from '../../harness';
import { parseXml } from './xml';

/** Books with ids from 1; the rows of one site map in their middle are placeholders. */
const BOOKS = 4 * SITEMAP_ROWS + 10;
const PLACEHOLDERS = { first: SITEMAP_ROWS + 1, last: 2 * SITEMAP_ROWS };
const ROWS_OF_BOOKS = 'book_pages.site_map';
const SPAN = /\.(\w+_)?site_map_span$/;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ settings: { TRUSTED_PROXIES: '1', LIMIT_PAGES: '0' } });
  await harness.source.query(
    `INSERT INTO books (id, title, placeholder)
     SELECT n, CASE WHEN p.is THEN '' ELSE 'Many' END, p.is
     FROM generate_series(1, $1::int) n, LATERAL (SELECT n BETWEEN $2 AND $3 AS is) p`,
    [BOOKS, PLACEHOLDERS.first, PLACEHOLDERS.last],
  );
});
afterAll(() => harness.close());

type Query = Database['query'];

/** Calls `around` for each statement while `work` runs. */
async function watching<T>(
  around: (name: string, query: () => Promise<unknown[]>) => Promise<unknown[]>,
  work: () => Promise<T>,
): Promise<T> {
  const { database } = harness;
  const query: Query = database.query.bind(database);
  const spy = jest
    .spyOn(database, 'query')
    .mockImplementation((what, values) => around(what.name, () => query(what, values)));
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

const pathsIn = (xml: string): string[] =>
  parseXml(xml).children.map(
    ({ children: [location] }) => new URL(String(location?.text)).pathname,
  );

it('the index is computed once for many requests at once and for an hour, in short steps', async () => {
  const spans: string[] = [];
  const index = () => harness.call('/sitemap.xml');
  const responses = await watching(
    (name, query) => {
      if (SPAN.test(name)) spans.push(name);
      return query();
    },
    async () => [
      ...(await Promise.all(Array.from({ length: 40 }, index))),
      // A step of each site map and one that finds the end.
      ...(await Promise.all([index(), index()])),
    ],
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(spans.filter((name) => name === `${ROWS_OF_BOOKS}_span`)).toHaveLength(6);
  expect(new Set(spans).size).toBe(6);
  expect(spans.length).toBeLessThanOrEqual(6 + 6 + 5);
});

it('site maps list each book once, and the index omits those without addresses', async () => {
  const { text } = await harness.call('/sitemap.xml');
  const maps = pathsIn(text).filter((path) => path.startsWith('/sitemap/books/'));
  const listed: string[] = [];
  for (const path of maps) {
    const map = await harness.call(path);
    expect(map.headers.get('cache-control')).toBe('public, max-age=3600');
    const paths = pathsIn(map.text);
    expect(paths.length).toBeLessThanOrEqual(SITEMAP_ROWS);
    listed.push(...paths);
  }
  expect(maps).toHaveLength(4);
  const all = Array.from({ length: BOOKS }, (_, at) => at + 1);
  const { first, last } = PLACEHOLDERS;
  const shown = all.filter((id) => id < first || id > last);
  expect(listed).toEqual(shown.map((id) => `/book/${id}/`));
});

it.each([
  ['beyond the last book', `books/${BOOKS}`],
  ['with an id that no record can have', 'books/99999999999999999999'],
  ['of placeholders alone', `books/${SITEMAP_ROWS}`],
  ['of the fixed pages, with an id', 'pages/1'],
  ['of an unknown kind', 'things/0'],
])('a site map %s is not found', async (_name, path) => {
  const { status, headers } = await harness.call(`/sitemap/${path}.xml`);
  expect([status, headers.get('cache-control')]).toEqual([404, null]);
});

it('an error in the middle of a site map has its status', async () => {
  let batches = 0;
  const { status, headers } = await watching(
    (name, query) => {
      if (name === ROWS_OF_BOOKS) batches += 1;
      return name === ROWS_OF_BOOKS && batches === 3
        ? Promise.reject(unavailable(undefined))
        : query();
    },
    () => harness.call('/sitemap/books/0.xml'),
  );
  expect([batches, status, headers.get('cache-control')]).toEqual([3, 503, null]);
});

it.each([
  ['one site map is rendered at once for an address', 1, 1],
  ['two are rendered at once for all addresses', 8, 2],
])('%s', async (_name, addresses, atOnce) => {
  let running = 0;
  let most = 0;
  const requests = Array.from({ length: 16 }, (_, at) => ({
    'x-forwarded-for': `198.51.100.${at % addresses}`,
  }));
  const responses = await watching(
    async (name, query) => {
      if (name !== ROWS_OF_BOOKS) return query();
      running += 1;
      most = Math.max(most, running);
      return query().finally(() => (running -= 1));
    },
    () => Promise.all(requests.map((headers) => harness.call('/sitemap/books/0.xml', { headers }))),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(most).toBe(atOnce);
});
