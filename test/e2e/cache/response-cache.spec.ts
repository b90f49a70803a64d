import { type ResponseCache } from '../../../src/api/cache/response-cache';
import { MergedIds } from '../../../src/api/routing/merged-ids';
import { until } from '../process/programs';
import { startCachedServer, type CachedServer } from './cached-server';

let harness: CachedServer;
let cache: ResponseCache;
let premium: string;
beforeAll(async () => {
  harness = await startCachedServer();
  ({ cache } = harness);
  premium = await harness.token({ scopes: ['movie_premium_r'] });
});
afterAll(() => harness.close());

describe('a response is in memory, and changes with its content', () => {
  it.each([
    ['/v2/book/1', `UPDATE books SET title = title || '!' WHERE id = 1`],
    ['/v2/book/1', `UPDATE books SET rating_base_count = rating_base_count + 1 WHERE id = 1`],
    [
      '/v2/book/1',
      `INSERT INTO book_tags (book_id, name, folded, base_count, count) VALUES (1, 'new', 'new', 9999, DEFAULT)`,
    ],
    ['/v2/book/1', `UPDATE book_tags SET base_count = base_count + 1 WHERE book_id = 1`],
    ['/v2/book/1', `DELETE FROM book_tags WHERE book_id = 1`],
    ['/v2/movie/subject/1001', `UPDATE subjects SET title = title || '!' WHERE id = 1001`],
    ['/v2/movie/subject/1001', `UPDATE celebrities SET name = name || '!'`],
    ['/v2/movie/subject/1001', `DELETE FROM credits WHERE subject_id = 1001`],
    ['/v2/movie/top250', `DELETE FROM chart_entries`],
    ['/v2/event/1', `UPDATE events SET title = title || '!' WHERE id = 1`],
    [
      '/v2/event/1',
      `UPDATE users SET name = name || '!' WHERE id = (SELECT owner_id FROM events WHERE id = 1)`,
    ],
    ['/v2/event/1', `UPDATE cities SET name = name || '!'`],
    ['/v2/event/1/participants', `DELETE FROM participations WHERE event_id = 1`],
    [
      '/v2/book/user/1/collections?count=3',
      `UPDATE collections SET comment = comment || '!' WHERE user_id = 1`,
    ],
    [
      '/v2/book/user/1/collections?count=2&status=read',
      `DELETE FROM collections WHERE user_id = 1`,
    ],
    [
      '/v2/book/user/2/collections',
      `UPDATE books SET title = title || '!' WHERE id = (SELECT min(book_id) FROM collections WHERE user_id = 2)`,
    ],
    [
      '/v2/book/user/2/collections?count=1',
      `INSERT INTO collections (user_id, book_id, status) VALUES (2, 40, 'wish')`,
    ],
    ['/book/1/', `UPDATE books SET title = title || '!' WHERE id = 1`],
    ['/book/1/', `UPDATE books SET title = title || '!' WHERE id = 2`],
    [
      '/book/1/',
      `UPDATE books SET series_id = (SELECT series_id FROM books WHERE id = 1) WHERE id = 9`,
    ],
    ['/book/1/', `UPDATE reviews SET title = title || '!' WHERE book_id = 1`],
    ['/book/1/', `DELETE FROM annotations WHERE book_id = 1`],
    ['/book/1/', `UPDATE collections SET private = NOT private WHERE book_id = 1`],
    ['/book/1/reviews/', `UPDATE users SET name = name || '!'`],
    ['/movie/subject/1001/', `UPDATE movie_reviews SET title = title || '!'`],
    ['/movie/subject/1002/', `UPDATE subjects SET year = '1900'`],
    ['/movie/celebrity/2001/', `UPDATE celebrities SET name_en = name_en || '!'`],
    ['/event/2/', `DELETE FROM participations WHERE event_id = 2`],
  ])('%s after %s', async (path, change) => {
    const before = await harness.readCached(path);
    await harness.sql(change);
    expect(await harness.readCurrent(path)).not.toBe(before);
    expect(await harness.readCached(path)).toBe(await harness.readCurrent(path));
  });

  it('of a series and of an ISBN', async () => {
    const isbn = '9787111111115';
    await harness.sql(`INSERT INTO series (id, title) VALUES (900, 'One') ON CONFLICT DO NOTHING`);
    await harness.sql(`UPDATE books SET series_id = 900, isbn13 = $1 WHERE id = 2`, [isbn]);
    const [byId, byIsbn] = [
      await harness.readCached('/v2/book/2'),
      await harness.readCached(`/v2/book/isbn/${isbn}`),
    ];
    expect(byIsbn).toBe(byId);
    await harness.sql(`UPDATE series SET title = 'Two' WHERE id = 900`);
    expect(JSON.parse(await harness.readCurrent('/v2/book/2'))).toMatchObject({
      series: { title: 'Two' },
    });
    expect(JSON.parse(await harness.readCurrent(`/v2/book/isbn/${isbn}`))).toMatchObject({
      series: { title: 'Two' },
    });
    // A more popular book gets the ISBN.
    await harness.readCached(`/v2/book/isbn/${isbn}`);
    await harness.sql(`UPDATE books SET isbn13 = $1, rating_base_count = 999999 WHERE id = 3`, [
      isbn,
    ]);
    expect(JSON.parse(await harness.readCurrent(`/v2/book/isbn/${isbn}`))).toMatchObject({
      id: '3',
    });
    await harness.sql(
      `UPDATE book_tags SET name = 'other', folded = 'other' WHERE ctid = (SELECT min(ctid) FROM book_tags WHERE book_id = 3)`,
    );
    expect(await harness.readCurrent(`/v2/book/isbn/${isbn}`)).toContain('other');
  });

  it('when it is deleted, emptied or changed with many others', async () => {
    await harness.readCached('/v2/book/5');
    await harness.sql(`UPDATE books SET kind = 'music' WHERE id = 5`);
    expect(JSON.parse(await harness.readCurrent('/v2/book/5'))).toMatchObject({ code: 6007 });
    await harness.readCached('/v2/book/6');
    await harness.sql(
      `INSERT INTO books (id, title) SELECT n, 'Many' FROM generate_series(5000001, 5003000) n`,
    );
    await harness.readCached('/v2/book/5000007');
    await harness.sql(`UPDATE books SET title = 'All' WHERE id > 5000000`);
    expect(JSON.parse(await harness.readCurrent('/v2/book/5000007'))).toMatchObject({
      title: 'All',
    });
  });
});

it('responses differ by tier, fields and page, and are compressed once for all', async () => {
  const basic = await harness.readCached('/v2/movie/subject/1002');
  expect(await harness.readCached('/v2/movie/subject/1002', premium)).not.toBe(basic);
  expect(await harness.readCached('/v2/movie/subject/1002')).toBe(basic);
  const title = await harness.readCached('/v2/book/7?fields=title');
  expect(Object.keys(JSON.parse(title) as object)).toEqual(['title']);
  expect(
    Object.keys(JSON.parse(await harness.readCached('/v2/book/7')) as object).length,
  ).toBeGreaterThan(5);
  expect(await harness.readCached('/v2/event/4/wishers?start=0')).not.toBe(
    await harness.readCached('/v2/event/4/wishers?start=1'),
  );
  const jsonp = await harness.readCached('/v2/book/7?callback=show');
  expect(jsonp).toBe(`show(${await harness.readCached('/v2/book/7')});`);
});

it('a page from memory is the page of its language, with the same headers, until it is deleted', async () => {
  const path = '/book/12/';
  const open = async (language: string) => {
    const { status, text, headers } = await harness.call(path, {
      headers: { 'accept-language': language },
    });
    const sent = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    return { status, text, sent };
  };
  const rendered = await open('zh-TW');
  await harness.readCached(path);
  await until(async () => {
    const before = harness.hits();
    await open('zh-TW');
    return harness.hits() > before;
  });
  expect(await open('zh-TW')).toEqual(rendered);
  expect(rendered.text).toContain('<html lang="zh-Hant">');
  expect((await open('en')).text).toContain('<html lang="en">');
  await harness.sql('UPDATE books SET placeholder = true, deleted_at = now() WHERE id = 12');
  await harness.settle();
  expect((await open('en')).status).toBe(410);
});

it('a stored response is 304 for a client that has it, until it changes', async () => {
  const path = '/v2/book/8';
  await harness.readCached(path);
  const { headers } = await harness.call(path);
  const condition = { 'if-none-match': String(headers.get('etag')) };
  expect((await harness.call(path, { headers: condition })).status).toBe(304);
  await harness.sql(`UPDATE books SET title = title || '!' WHERE id = 8`);
  await harness.settle();
  expect((await harness.call(path, { headers: condition })).status).toBe(200);
});

it('a stored list by ids is not used after the process learns of a merge', async () => {
  const path = '/v2/movie/subject/list?ids=999999';
  expect(await harness.readCached(path)).toContain('"missing":["999999"]');
  harness.app.get(MergedIds, { strict: false }).replace([['movie', 999_999, 1001]]);
  const { body } = await harness.call(path);
  expect(body).toMatchObject({ total: 1, missing: [], subjects: [{ id: '1001' }] });
});

it('a compressed form counts as memory as soon as it exists', async () => {
  const path = '/v2/book/8';
  await harness.readCached(path);
  const before = cache.statistics.bytes;
  const headers = { 'accept-encoding': 'br' };
  const first = await harness.call(path, { headers });
  const length = Number(first.headers.get('content-length'));
  expect(cache.statistics.bytes - before).toBe(length);
  await harness.call(path, { headers });
  expect(cache.statistics.bytes - before).toBe(length);
});

it('memory is bounded for any reads', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => 5_100_000 + at);
  await harness.sql(
    `INSERT INTO books (id, title, summary) SELECT n, 'Long', repeat(n::text, 2000) FROM unnest($1::bigint[]) n`,
    [rows],
  );
  for (const id of rows) await harness.call(`/v2/book/${id}`);
  const { bytes } = cache.statistics;
  expect(bytes).toBeGreaterThan(300_000);
  expect(bytes).toBeLessThanOrEqual(1_048_576);
});

it('the cache is bypassed while changes cannot be read', async () => {
  const path = '/v2/book/9';
  await harness.readCached(path);
  await harness.sql('ALTER TABLE content_changes RENAME TO content_changes_gone');
  try {
    // The next reading fails, and its response with it.
    await harness.settle();
    const before = harness.hits();
    expect((await harness.call(path)).status).toBe(200);
    expect(harness.hits()).toBe(before);
  } finally {
    await harness.sql('ALTER TABLE content_changes_gone RENAME TO content_changes');
  }
  await harness.readCached(path);
});

it('a lost connection empties the memory, and a new one fills it again', async () => {
  const path = '/v2/book/10';
  await harness.readCached(path);
  await harness.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'commonplace-listener' AND datname = current_database()`,
  );
  await harness.settle();
  const before = harness.hits();
  expect((await harness.call(path)).status).toBe(200);
  expect(harness.hits()).toBe(before);
  await harness.readCached(path);
});
