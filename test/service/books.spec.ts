import * as shapes from '../contract/book-shapes';
import { BOOK_GETS } from '../contract/book-endpoints';
import { unique } from './client';
import { expectError, expectList, expectShape, itCallsAll } from './expectations';
import { ROUTES } from './routes';
import { Stage, type Fields, type Member } from './stage';

const { BOOK, COLLECTION, OWN_REVIEW, TAG } = shapes;

const word = unique();
const LONG = '一'.repeat(151);

let stage: Stage;
let reader: Member;
let other: Member;
let series: string;
let book: string;
let second: string;

/** An ISBN-13 that is right, and nobody's. */
function someIsbn(): string {
  const digits = `979${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
const isbn = someIsbn();

beforeAll(async () => {
  stage = await Stage.open();
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
    series: { id: series, title: `Series ${word}` },
  });
});
afterAll(() => stage.close());

const get = (path: string, by: Member = reader) => by.get(`/v2/book/${path}`);
const idsOf = (elements: { id: string }[]): string[] => elements.map(({ id }) => id);
/** Takes away what a test wrote, so that the next begins with nothing. */
const uncollect = (by: Member) => by.send('DELETE', `/v2/book/${book}/collection`);

describe('reading books', () => {
  it('200: a book, by id and by ISBN, with fields that were asked for (section 2.1)', async () => {
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
    expect((await get(`${book}?fields=id,title,nothing`)).body).toEqual({
      id: book,
      title: `First ${word}`,
    });
    expect((await get(`${book}?fields=all,id`)).body).toEqual(body);
  });

  it('200: are found by words and by tag, and stand in their series', async () => {
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
  });

  it('403: no read of the area is open to a token without its scope', async () => {
    const client = await stage.approved(reader, []);
    const without = await stage.member(reader, client, ['event_basic_r']);
    for (const { path } of BOOK_GETS) {
      const name = path.includes('isbn') ? isbn : reader.uid;
      const answer = await without.get(path.replace(':id', book).replace(':name', name));
      expectError(answer, 403, 1000);
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
  ])('GET /v2/book/%s: %d, code %d', async (path, status, code) => {
    expectError(await get(path), status, code);
  });
});

describe('collections', () => {
  const path = () => `/v2/book/${book}/collection`;
  const fields = { status: 'done', rating: 5, comment: 'Good.', tags: `mine${word} yours` };

  it('201, 409, 202, 204: are made once, changed and taken away (section 3)', async () => {
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

  it('200: are listed with what is asked for, and their tags are counted', async () => {
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
    await uncollect(reader);
  });

  it('404: private ones are their owner’s alone (D21)', async () => {
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
  ])('400: %s', async (_what, given, code) => {
    expectError(await reader.send('POST', path(), given), 400, code);
    expectError(await reader.send('PUT', path(), given), 400, code);
    expectError(await reader.get(path()), 404, 1001);
  });

  it('403, 404: of nobody, and of no book', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expectError(await stage.service.call(path(), { method }), 403, 1000);
      const nowhere = await reader.send(method, '/v2/book/0/collection', { status: 'wish' });
      expectError(nowhere, 404, 6000);
    }
  });
});

describe('reviews', () => {
  const write = (fields: object, by = reader, method = 'POST', path = '/v2/book/reviews') =>
    by.send(method, path, { book, title: 'Title', content: LONG, ...fields });

  it('201, 202, 200: are written, changed and deleted, with their full text', async () => {
    const made = expectShape(await write({ rating: 4 }), 201, OWN_REVIEW);
    expect(made).toMatchObject({
      title: 'Title',
      content: LONG,
      author: { id: reader.id, uid: reader.uid },
      book: { id: book },
      rating: { max: 5, min: 1, value: '4' },
    });
    const path = `/v2/book/review/${made.id}`;
    const put = await write({ title: 'Another', rating: 9 }, reader, 'PUT', path);
    expect(expectShape(put, 202, OWN_REVIEW)).toMatchObject({
      id: made.id,
      title: 'Another',
      rating: { value: '0' },
    });
    expectError(await write({}, other, 'PUT', path), 403, 6002);
    expectError(await other.send('DELETE', path), 403, 6002);
    const gone = await reader.send('DELETE', path);
    expect([gone.status, gone.body]).toEqual([200, 'OK']);
    expectError(await reader.send('DELETE', path), 404, 6006);
    expectError(await write({}, reader, 'PUT', path), 404, 6006);
  });

  it.each([
    ['a content of 150 characters', { content: '一'.repeat(150) }, 400, 6004],
    ['a blank title', { title: ' ' }, 400, 1012],
    ['no such book', { book: 0 }, 404, 6000],
    ['a book that is no number', { book: 'x' }, 400, 999],
  ])('%s', async (_what, fields, status, code) => {
    expectError(await write(fields), status, code);
  });

  it('400, 403: without a book, a title or a content (1002), or without a user (1000)', async () => {
    const lacking: Fields[] = [
      { title: 'T', content: LONG },
      { book, content: LONG },
      { book, title: 'T' },
    ];
    for (const given of lacking) {
      expectError(await reader.send('POST', '/v2/book/reviews', given), 400, 1002);
    }
    const { call } = stage.service;
    expectError(await call('/v2/book/reviews', { method: 'POST' }), 403, 1000);
    for (const method of ['PUT', 'DELETE']) {
      expectError(await call('/v2/book/review/1', { method }), 403, 1000);
    }
  });
});

itCallsAll(ROUTES.books, () => stage.service);
