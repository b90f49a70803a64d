import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { UNKNOWN_IDS } from '../guarantees';
import { membersOf } from './shapes';
import { expectRefused, itNeedsAUser, writer, type Fields, type Writer } from './writes';

const OWN_REVIEW = [
  'id',
  'title',
  'alt',
  'author',
  'book',
  'rating',
  'votes',
  'useless',
  'comments',
  'content',
  'published',
  'updated',
].sort();
const LONG = '很'.repeat(151);

let harness: Harness;
let make: Factories;
let user: Writer;
let other: Writer;
let book: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser({ name: '读者' })).id);
  other = await writer(harness, (await make.aUser()).id);
  book = await make.aBook({ rating: { numRaters: 1, average: '9.0' } });
});
afterAll(() => harness.close());

const add = (fields: Fields = {}, by = user) =>
  by.post('/v2/book/reviews', { book, title: 'On it', content: LONG, ...fields });
const stored = async () =>
  Number((await harness.source.query<{ n: string }[]>('SELECT count(*) AS n FROM reviews'))[0]?.n);

describe('POST /v2/book/reviews', () => {
  it('201: has the review of section 2.2 with its full text', async () => {
    const { status, body } = await add({ rating: 4, title: ' 好书 ' });
    expect(status).toBe(201);
    expect(membersOf(body)).toEqual(OWN_REVIEW);
    expect(body).toMatchObject({
      id: expect.any(Number),
      title: '好书',
      content: LONG,
      alt: expect.stringMatching(/^http:\/\/web\.test\/review\/\d+\/$/),
      author: { id: String(user.id), name: '读者' },
      book: { id: String(book) },
      rating: { max: 5, min: 1, value: '4' },
      votes: 0,
      useless: 0,
      comments: 0,
    });
    expect(body.updated).toBe(body.published);
  });

  it('201: its rating does not count for the book (D20)', async () => {
    const { body } = await add({ rating: 1 });
    expect(body.book.rating).toMatchObject({ numRaters: 1, average: '9.0' });
  });

  it.each(['0', '6', 'x', '', '2.5'])('201: ignores the rating %p', async (rating) => {
    const { status, body } = await add({ rating });
    expect([status, body.rating.value]).toEqual([201, '0']);
  });

  it.each([
    ['151 letters', 'a'.repeat(151)],
    ['151 emoji', '😀'.repeat(151)],
  ])('201: stores a content of %s', async (_what, content) => {
    const { status, body } = await add({ content });
    expect([status, body.content]).toEqual([201, content]);
  });

  it.each<[string, Fields, number]>([
    ['no book', { book: '' }, 1002],
    ['a book that is no number', { book: 'x' }, 999],
    ['a book below zero', { book: '-1' }, 999],
    ['half a book', { book: '1.5' }, 999],
    ['no title', { title: '' }, 1012],
    ['a blank title', { title: ' \n ' }, 1012],
    ['an invisible title', { title: '\u200b\ufeff' }, 1012],
    ['a content of 150 letters', { content: 'a'.repeat(150) }, 6004],
    ['a content of 150 emoji', { content: '😀'.repeat(150) }, 6004],
    ['a content of 150 composed letters', { content: 'e\u0301'.repeat(150) }, 6004],
    ['150 letters and blanks around them', { content: `  ${'a'.repeat(150)}  ` }, 6004],
    ['a blank content', { content: '   ' }, 6004],
  ])('400: rejects %s', async (_what, fields, code) => {
    const before = await stored();
    expectRefused(await add(fields), 400, code);
    expect(await stored()).toBe(before);
  });

  it('400: returns 1002 without title or content', async () => {
    expectRefused(await user.post('/v2/book/reviews', { book, content: LONG }), 400, 1002);
    expectRefused(await user.post('/v2/book/reviews', { book, title: 'x' }), 400, 1002);
  });

  itNeedsAUser('service_basic_common', () => {
    return { harness, method: 'POST', path: '/v2/book/reviews', userId: user.id };
  });

  it('403, 404: returns 6007 for a magazine, 6000 for an unknown book', async () => {
    for (const id of [...UNKNOWN_IDS, '0', '9'.repeat(30)])
      expectRefused(await add({ book: id }), 404, 6000);
    const magazine = await make.aBook({ kind: 'magazine' });
    expectRefused(await add({ book: magazine }), 403, 6007);
  });
});

it.each(['GET', 'PUT', 'DELETE'])(
  '%s /v2/book/reviews returns 1014, and Allow lists the methods',
  async (method) => {
    const response = await harness.call('/v2/book/reviews', { method });
    expectRefused(response, 400, 1014);
    expect(response.headers.get('allow')).toBe('POST');
  },
);

describe('PUT /v2/book/review/:id', () => {
  it('202: returns the new text; `book` is ignored and does not change (D26)', async () => {
    const { body: first } = await add({ rating: 5 });
    const path = `/v2/book/review/${first.id}`;
    const content = `${LONG}!`;
    const { status, body } = await user.put(path, { title: 'New', content, book: 1 });
    expect(status).toBe(202);
    expect(membersOf(body)).toEqual(OWN_REVIEW);
    expect(body).toMatchObject({
      id: first.id,
      title: 'New',
      content,
      book: { id: String(book) },
      rating: { value: '0' },
      published: first.published,
    });
  });

  it("rejects what POST rejects, another user's review (6002) and unknown reviews (6006)", async () => {
    const { body } = await add();
    const path = `/v2/book/review/${body.id}`;
    const good = { title: 'x', content: LONG };
    expectRefused(await user.put(path, { ...good, content: 'a'.repeat(150) }), 400, 6004);
    expectRefused(await user.put(path, { ...good, title: ' ' }), 400, 1012);
    expectRefused(await user.put(path, { title: 'x' }), 400, 1002);
    expectRefused(await other.put(path, good), 403, 6002);
    for (const id of UNKNOWN_IDS) {
      expectRefused(await user.put(`/v2/book/review/${id}`, good), 404, 6006);
    }
    const rows = await harness.source.query('SELECT title FROM reviews WHERE id = $1', [body.id]);
    expect(rows).toEqual([{ title: 'On it' }]);
  });

  it('a hidden review of another user is not found (D26)', async () => {
    const { body } = await add();
    const path = `/v2/book/review/${body.id}`;
    await harness.source.query('UPDATE reviews SET hidden = true WHERE id = $1', [body.id]);
    expectRefused(await other.put(path, { title: 'x', content: LONG }), 404, 6006);
    expectRefused(await other.remove(path), 404, 6006);
    expect((await user.remove(path)).status).toBe(200);
  });

  itNeedsAUser('service_basic_common', () => {
    return { harness, method: 'PUT', path: '/v2/book/review/1', userId: user.id };
  });
});

describe('DELETE /v2/book/review/:id', () => {
  it('200: deletes the review, and returns the JSON string "OK" (D26)', async () => {
    const { body } = await add();
    const path = `/v2/book/review/${body.id}`;
    expectRefused(await other.remove(path), 403, 6002);
    const response = await user.remove(path);
    expect([response.status, response.text]).toEqual([200, '"OK"']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectRefused(await user.remove(path), 404, 6006);
    expectRefused(await other.remove(path), 404, 6006);
  });

  itNeedsAUser('service_basic_common', () => {
    return { harness, method: 'DELETE', path: '/v2/book/review/1', userId: user.id };
  });
});
