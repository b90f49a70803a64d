import * as shapes from '../contract/book-shapes';
import { BOOK_GETS } from '../contract/book-endpoints';
import { randomInteger } from '../random';
import { unique } from './client';
import { expectError, expectList, expectShape, itCallsAll } from './expectations';
import { ROUTES } from './routes';
import { Stage, type Member } from './stage';

const { ANNOTATION, BOOK, COLLECTION, TAG } = shapes;

const word = unique();

const stage = new Stage();
let reader: Member;
let other: Member;
let series: string;
let book: string;
let second: string;

/** A valid ISBN-13 that no book has. */
function someIsbn(): string {
  const digits = `979${String(randomInteger() % 1e9).padStart(9, '0')}`;
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
const isbn = someIsbn();

beforeAll(async () => {
  [reader, other] = await stage.twoMembers();
  series = await stage.make('/series', { title: `Series ${word}` });
  book = await stage.make('/books', {
    title: `First ${word}`,
    isbn13: isbn,
    author: ['Ada', 'Ben'],
    pubdate: '2001-1',
    series: { id: series, title: `Series ${word}` },
    tags: [{ count: 3, name: `tag${word}` }],
    rating: { numRaters: 2, average: '7.0' },
    summary: 'About something.',
    ebook_url: 'http://books.example/1',
    ebook_price: '9.99',
  });
  second = await stage.make('/books', {
    title: `Second ${word}`,
    pubdate: '2002-1',
    tags: Array.from({ length: 60 }, (_, at) => ({ count: 60 - at, name: `t${at}` })),
    series: { id: series, title: `Series ${word}` },
  });
});
afterAll(() => stage.close());

const get = (path: string, by: Member = reader) => by.get(`/v2/book/${path}`);
const idsOf = (elements: { id: string }[]): string[] => elements.map(({ id }) => id);
/** Deletes the collection that a test created, so that the next test starts without it. */
const uncollect = (by: Member) => by.send('DELETE', `/v2/book/${book}/collection`);

describe('books', () => {
  it('200: a book is returned by id and by ISBN, with the requested fields (section 2.1)', async () => {
    const body = expectShape(await get(book), 200, BOOK);
    expect(body).toMatchObject({
      id: book,
      isbn13: isbn,
      title: `First ${word}`,
      author: ['Ada', 'Ben'],
      rating: { max: 10, min: 0, numRaters: 2, average: '7.0' },
      series: { id: series, title: `Series ${word}` },
      ebook_price: '9.99',
    });
    expect(body.url).toMatch(new RegExp(`^https?://[^/]+/v2/book/${book}$`));
    const plain = expectShape(await get(second), 200, BOOK);
    for (const name of ['ebook_url', 'ebook_price', 'current_user_collection']) {
      expect(plain).not.toHaveProperty(name);
    }
    expect(expectShape(await get(`isbn/${isbn}`), 200, BOOK)).toEqual(body);
    const both = await get(`list?ids=${second},0,${book}`);
    expect([both.status, both.body.books]).toEqual([200, [plain, body]]);
    expect(both.body.missing).toEqual(['0']);
    expect((await get(`list?isbns=${isbn}`)).body.books).toEqual([body]);
    expect((await get(`${book}?fields=id,title,nothing`)).body).toEqual({
      id: book,
      title: `First ${word}`,
    });
    expect((await get(`${book}?fields=all,id`)).body).toEqual(body);
  });

  it('200: books are found by words, by tag and by series', async () => {
    const found = expectList(await get(`search?q=${word}`), 'books', BOOK);
    expect(idsOf(found).sort()).toEqual([book, second].sort());
    const tagged = expectList(await get(`search?tag=tag${word}`), 'books', BOOK);
    expect(idsOf(tagged)).toEqual([book]);
    const row = expectList(await get(`series/${series}/books`), 'books', BOOK);
    expect(idsOf(row)).toEqual([book, second]);
    const { body } = await get(`search?q=${word}&start=1&count=1&fields=id`);
    expect(body).toEqual({ start: 1, count: 1, total: 2, books: [{ id: expect.any(String) }] });
    const tags = expectList(await get(`${book}/tags`), 'tags', TAG);
    expect(tags).toEqual([{ count: 3, title: `tag${word}` }]);
    const top = expectList(await get(`${second}/tags?count=100`), 'tags', TAG);
    expect([top.length, top[0], top[49]]).toEqual([
      ...[50, { count: 60, title: 't0' }, { count: 11, title: 't49' }],
    ]);
  });

  it('403: every read rejects a token without the scope (1000)', async () => {
    const client = await stage.approved(reader, []);
    const without = await stage.member(reader, client, ['event_basic_r']);
    for (const { path } of BOOK_GETS) {
      const name = path.includes('isbn') ? isbn : reader.uid;
      const response = await without.get(path.replace(':id', book).replace(':name', name));
      expectError(response, 403, 1000);
    }
  });

  it.each([
    ['0', 404, 6000],
    ['99999999999999999999', 404, 6000],
    ['isbn/9780000000000', 404, 6000],
    ['0/tags', 404, 6000],
    ['0/annotations', 404, 6000],
    ['0/collection', 404, 6000],
    ['search', 400, 1002],
    ['search?q=x&start=-1', 400, 999],
    ['search?q=x&count=many', 400, 999],
    ['series/0/books', 404, 1001],
    ['annotation/0', 404, 1001],
    ['user/no.body.here/tags', 404, 6008],
    ['user/no.body.here/collections', 404, 6008],
    ['user/no.body.here/annotations', 404, 6008],
    ['user_tags/999999999999', 404, 6008],
    ['abc', 404, 1001],
  ])('GET /v2/book/%s returns %d with code %d', async (path, status, code) => {
    expectError(await get(path), status, code);
  });
});

describe('collections', () => {
  const path = () => `/v2/book/${book}/collection`;
  const fields = { status: 'done', rating: 5, comment: 'Good.', tags: `mine${word} yours` };

  it('201, 409, 202, 204: a collection is created once, updated and deleted (section 3)', async () => {
    expectError(await reader.get(path()), 404, 1001);
    const made = expectShape(await reader.send('POST', path(), fields), 201, COLLECTION);
    expect(made).toMatchObject({
      book_id: book,
      user_id: reader.id,
      status: 'read',
      comment: 'Good.',
      rating: { max: 5, min: 0, value: '5' },
      tags: [`mine${word}`, 'yours'],
      book: { rating: { numRaters: 3, average: '8.0' } },
    });
    expectError(await reader.send('POST', path(), fields), 409, 6011);
    expect(expectShape(await reader.get(path()), 200, COLLECTION)).toEqual(made);
    const { body } = await get(book);
    const { id, updated } = made;
    expect(body.current_user_collection).toEqual({
      ...{ id, updated, status: 'read', rating: made.rating, user_id: reader.id, book_id: book },
    });
    expect((await get(`search?tag=tag${word}`)).body.books).toEqual([body]);
    expect((await get(book, other)).body).not.toHaveProperty('current_user_collection');
    const put = { status: 'doing', rating: 'many' };
    const changed = expectShape(await reader.send('PUT', path(), put), 202, COLLECTION);
    expect(changed).toMatchObject({ id, status: 'reading', comment: '', tags: [] });
    expect(changed.rating.value).toBe('0');
    const gone = await reader.send('DELETE', path());
    expect([gone.status, gone.text]).toEqual([204, '']);
    expectError(await reader.send('DELETE', path()), 404, 1001);
    expectError(await reader.send('PUT', path(), put), 404, 1001);
  });

  it('200: collections are filtered, and their tags are counted', async () => {
    await reader.send('POST', path(), fields);
    const list = (query: string, name = reader.uid) =>
      get(`user/${name}/collections${query}`, other);
    const all = expectList(await list(''), 'collections', COLLECTION);
    expect(all.map(({ book_id }) => book_id)).toEqual([book]);
    for (const [query, total] of [
      [`?status=read&tag=mine${word}&rating=5`, 1],
      ['?status=wish', 0],
      ['?rating=4', 0],
      ['?from=2001-02-03T04:05:06%2B08:00', 1],
      ['?to=2001-02-03T04:05:06Z', 0],
    ] as const) {
      expect([query, (await list(query)).body.total]).toEqual([query, total]);
    }
    expect((await list('', reader.id)).body.total).toBe(1);
    for (const query of ['?status=owned', '?from=yesterday']) {
      expectError(await list(query), 400, 999);
    }
    const own = [
      { count: 1, title: `mine${word}` },
      { count: 1, title: 'yours' },
    ];
    for (const tags of [`user/${reader.uid}/tags`, `user_tags/${reader.id}`]) {
      expect(expectList(await get(tags, other), 'tags', TAG)).toEqual(own);
    }
    const { headers } = await get(`user_tags/${reader.id}`);
    expect([headers.has('deprecation'), headers.has('sunset')]).toEqual([true, true]);
    await uncollect(reader);
  });

  it('404: a private collection is visible to its owner only (D21)', async () => {
    await reader.send('POST', path(), { ...fields, privacy: 'private' });
    const single = `${book}/collection?user_id=${reader.uid}`;
    expectShape(await get(single), 200, COLLECTION);
    expectError(await get(single, other), 404, 1001);
    expect((await get(`user/${reader.uid}/collections`, other)).body.total).toBe(0);
    await reader.send('PUT', path(), fields);
    expectShape(await get(single, other), 200, COLLECTION);
    expectError(await get(`${book}/collection?user_id=no.body.here`), 404, 6008);
    await uncollect(reader);
  });

  it.each([
    ['no status', {}, 1002],
    ['an unknown status', { status: 'owned' }, 999],
    ['a comment of 351 characters', { status: 'wish', comment: '字'.repeat(351) }, 6010],
  ])('400: rejects %s', async (_what, fields, code) => {
    expectError(await reader.send('POST', path(), fields), 400, code);
    expectError(await reader.send('PUT', path(), fields), 400, code);
    expectError(await reader.get(path()), 404, 1001);
  });

  it('403, 404: writes require a user (1000) and an existing book (6000)', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expectError(await stage.nobody(method, path()), 403, 1000);
      const nowhere = await reader.send(method, '/v2/book/0/collection', { status: 'wish' });
      expectError(nowhere, 404, 6000);
    }
  });
});

describe('every read', () => {
  const SHAPES = { Book: BOOK, Collection: COLLECTION, Annotation: ANNOTATION, Tag: TAG } as const;
  let annotation: string;
  beforeAll(async () => {
    await reader.send('POST', `/v2/book/${book}/collection`, { status: 'read', tags: 'a' });
    const fields = { content: 'More than fifteen characters.', page: 1 };
    const { body } = await reader.send('POST', `/v2/book/${book}/annotations`, fields);
    annotation = body.id;
  });
  afterAll(async () => {
    await uncollect(reader);
    await reader.send('DELETE', `/v2/book/annotation/${annotation}`);
  });

  /** The address of a read, with ids of this file's records. */
  function addressOf(path: string, query: string): string {
    const name = path.includes('isbn') ? isbn : reader.uid;
    const id = path.includes('annotation/')
      ? annotation
      : path.includes('series')
        ? series
        : path.includes('user_tags')
          ? reader.id
          : book;
    const needed = path.endsWith('search') ? `q=${word}&` : '';
    return `${path.replace(':id', id).replace(':name', name)}?${needed}${query}`;
  }

  it.each(BOOK_GETS)('200: $path returns the requested fields only (D7)', async (row) => {
    const [one = '', two = ''] = Object.keys(SHAPES[row.shape]);
    const { status, body } = await reader.get(addressOf(row.path, `fields=${two},${one},nothing`));
    expect(status).toBe(200);
    const elements = row.member === undefined ? [body] : body[row.member];
    expect(elements.length).toBeGreaterThan(0);
    for (const each of elements) expect(Object.keys(each).sort()).toEqual([one, two].sort());
  });

  it.each(BOOK_GETS.filter(({ member }) => member !== undefined))(
    '200, 400: $path returns at most 100 elements, and rejects malformed pages (D3)',
    async ({ path }) => {
      const page = (query: string) => reader.get(addressOf(path, query));
      const { total } = (await page('')).body;
      expect((await page('start=0&count=1000')).body.count).toBe(Math.min(total, 100));
      expect((await page(`start=${total}`)).body).toMatchObject({ start: total, count: 0, total });
      for (const query of ['start=-1', 'count=x', 'count=1&count=2']) {
        expectError(await page(query), 400, 999);
      }
    },
  );
});

it('403: a magazine is not a book (6007)', async () => {
  const id = await stage.make('/books', { title: `Magazine ${word}`, kind: 'magazine' });
  expectError(await get(id), 403, 6007);
});

itCallsAll(ROUTES.books, stage.service);
