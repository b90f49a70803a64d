import { checkTagCounts } from '../../../src/books/tag-counts';
import { checkBooks } from '../../../src/import-export/engine/recount';
import { storeRecords } from '../../../src/import-export/engine/store';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { randomInteger } from '../../random';
import { anAdministrator, aWriter, type Administrator, type Writer } from './administrators';

const USERS = 14;
const MAX_ROUNDS = 40;
/** Not found, collected already, and a challenge after many texts. */
const EXPECTED = new Set([6000, 6011, 1007]);
const TAGS = ['one', 'two', 'three', 'four'];

let harness: Harness;
let administrator: Administrator;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await anAdministrator(harness);
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const below = (limit: number): number => randomInteger() % limit;

/** A state of a collection that a model can follow. */
interface Model {
  readonly rating?: number;
  readonly tags: readonly string[];
  readonly comment: string;
  readonly private: boolean;
}

const aModel = (): Model => ({
  ...(below(3) > 0 && { rating: 1 + below(5) }),
  tags: TAGS.filter(() => below(2) === 0),
  comment: below(2) === 0 ? '' : `comment ${below(1000)}`,
  private: below(4) === 0,
});

/** What D149 makes of two collections of a user. */
const mergedModel = (later: Model, earlier: Model): Model => {
  const rating = later.rating ?? earlier.rating;
  return {
    ...(rating !== undefined && { rating }),
    tags: [...new Set([...later.tags, ...earlier.tags])],
    comment: later.comment || earlier.comment,
    private: later.private || earlier.private,
  };
};

async function collectionsOf(bookId: number): Promise<Map<number, Model>> {
  const rows = await harness.source.query<
    (Omit<Model, 'rating'> & { user_id: number; rating: number | null })[]
  >(`SELECT user_id::int, rating, tags, comment, private FROM collections WHERE book_id = $1`, [
    bookId,
  ]);
  return new Map(
    rows.map(({ user_id, rating, ...row }) => [
      user_id,
      { ...row, ...(rating !== null && { rating }) },
    ]),
  );
}

/** Sends writes about both books until it is told to stop. */
async function writeAbout(
  writer: Writer,
  books: readonly number[],
  isOver: () => boolean,
): Promise<{ reviews: number[]; annotations: number[]; collected: boolean; odd: TestResponse[] }> {
  const done = { reviews: [] as number[], annotations: [] as number[], collected: false };
  const odd: TestResponse[] = [];
  for (let at = 0; at < 6 || (at < MAX_ROUNDS && !isOver()); at += 1) {
    const book = String(books[at % 2]);
    const responses = [
      await writer.post('/v2/book/reviews', { book, title: 'R', content: 'r'.repeat(151) }),
      await writer.post(`/v2/book/${book}/annotations`, { content: 'a'.repeat(20), page: '3' }),
      await writer.post(`/v2/book/${book}/collection`, { status: 'wish', tags: 'busy' }),
    ];
    const [review, annotation, collection] = responses;
    if (review?.status === 201) done.reviews.push(Number(review.body.id));
    if (annotation?.status === 201) done.annotations.push(Number(annotation.body.id));
    if (collection?.status === 201) done.collected = true;
    // The book was merged after the request began, the collection exists, or there were many texts.
    const expected = (one: TestResponse) => one.status === 201 || EXPECTED.has(one.body.code);
    odd.push(...responses.filter((one) => !expected(one)));
  }
  return { ...done, odd };
}

it('a merge of books keeps collections, reviews, annotations, tags and ratings, during writes too', async () => {
  const base = (raters: number, average: string, count: number) => ({
    rating: { numRaters: raters, average },
    tags: [{ name: 'one', count }],
  });
  const from = await make.aBook({ title: 'Twin', isbn13: '9787111128069', ...base(10, '8.0', 5) });
  const kept = { summary: 'Kept.', isbn13: '9787536692930' };
  const to = await make.aBook({ title: 'Twin', ...kept, ...base(30, '6.0', 7) });
  const expected = new Map<number, Model>();
  for (let at = 0; at < USERS; at += 1) {
    const { id: user_id } = await make.aUser();
    const models = [from, to].flatMap((book_id) =>
      below(3) === 0 ? [] : [{ book_id, model: aModel(), day: below(28) + 1 }],
    );
    for (const { book_id, model, day } of models) {
      const { private: hidden, ...wire } = model;
      const updated = `2024-01-${String(day).padStart(2, '0')} 00:00:0${book_id === to ? 1 : 0}`;
      const privacy = hidden ? 'private' : 'public';
      await make.aCollection({ ...wire, user_id, book_id, privacy, updated });
    }
    const [later, earlier] = [...models].sort(
      (one, other) => other.day - one.day || other.book_id - one.book_id,
    );
    if (later)
      expected.set(user_id, earlier ? mergedModel(later.model, earlier.model) : later.model);
    await make.anAnnotation({ author_id: user_id, book_id: below(2) === 0 ? from : to });
  }
  await harness.call(`/v2/book/${from}`);
  const writers = await Promise.all([aWriter(harness), aWriter(harness), aWriter(harness)]);
  let isOver = false;
  const writing = writers.map((writer) => writeAbout(writer, [from, to], () => isOver));
  const preview = await administrator.get(`/books/${from}/merge?into=${to}`);
  expect([preview.status, preview.body.changes]).toEqual([
    200,
    expect.objectContaining({
      rating: expect.objectContaining({ numRaters: 40, average: '6.5' }),
      tags: [{ name: 'one', count: 12 }],
    }),
  ]);
  const merged = await administrator.post(`/books/${from}/merge`, { into: to });
  expect([merged.status, merged.body]).toEqual([
    200,
    expect.objectContaining({ id: String(to), summary: 'Kept.' }),
  ]);
  isOver = true;
  const written = await Promise.all(writing);
  expect(written.flatMap(({ odd }) => odd.map(({ status, text }) => [status, text]))).toEqual([]);

  const after = await collectionsOf(to);
  for (const [user, model] of expected) {
    const { tags = [], ...rest } = after.get(user) ?? {};
    const { tags: wanted, ...others } = model;
    expect([user, rest, [...tags].sort()]).toEqual([user, others, [...wanted].sort()]);
  }
  expect(after.size).toBe(expected.size + written.filter(({ collected }) => collected).length);
  expect((await collectionsOf(from)).size).toBe(0);
  for (const table of ['reviews', 'annotations'] as const) {
    const rows = await harness.source.query<{ id: number; book_id: number }[]>(
      `SELECT id::int, book_id::int FROM ${table}`,
    );
    expect(new Set(rows.map(({ book_id }) => book_id))).toEqual(new Set([to]));
    const ids = new Set(rows.map(({ id }) => id));
    expect(written.flatMap((one) => one[table]).filter((id) => !ids.has(id))).toEqual([]);
  }
  const check = { repair: false };
  expect(await checkBooks(harness.database, check)).toEqual([]);
  expect(await checkTagCounts(harness.database, check)).toEqual([]);
  const rated = [...after.values()].filter(({ rating }) => rating !== undefined).length;
  const { body } = await harness.call(`/v2/book/${to}`);
  expect(body.rating.numRaters).toBe(40 + rated);
  const ones = [...after.values()].filter((one) => !one.private && one.tags.includes('one'));
  expect(body.tags).toContainEqual(
    expect.objectContaining({ name: 'one', count: 12 + ones.length }),
  );

  // The former id means the survivor.
  const [reader] = writers;
  for (const path of [`${from}`, 'isbn/9787111128069', `isbn/7111128060`])
    expect((await harness.call(`/v2/book/${path}`)).body.id).toBe(String(to));
  for (const ids of [`${from}`, `${from},${to}`]) {
    const { body: list } = await harness.call(`/v2/book/list?ids=${ids}`);
    expect(list).toMatchObject({ total: 1, books: [{ id: String(to) }], missing: [] });
  }
  expect((await harness.call(`/v2/book/${from}/annotations`)).body.total).toBeGreaterThan(0);
  expect((await reader.get(`/v2/book/${from}/collection`)).body.book_id).toBe(String(to));
  const late = await (
    await aWriter(harness)
  ).post('/v2/book/reviews', {
    ...{ book: String(from), title: 'R', content: 'r'.repeat(151) },
  });
  expect([late.status, late.body.book.id]).toEqual([201, String(to)]);
  const page = await fetch(`${harness.origin}/book/${from}/reviews?start=1`, {
    redirect: 'manual',
  });
  expect([page.status, page.headers.get('location')]).toEqual([301, `/book/${to}/reviews?start=1`]);
  const ebook = await fetch(`${harness.origin}/ebook/${from}`, { redirect: 'manual' });
  expect(ebook.headers.get('location')).toBe(`/book/${to}/#ebook`);
  const search = await harness.call('/v2/book/search?q=Twin');
  expect(search.body.books.map((book: { id: string }) => book.id)).toEqual([String(to)]);

  // Administrators see where it went, and cannot bring it back.
  const restored = await administrator.put(`/books/${from}`, {});
  expect([restored.status, restored.headers.get('x-error-detail')]).toEqual([
    400,
    `record ${from} was merged into ${to}`,
  ]);
  const [logged] = (await administrator.get('/audit?kind=book')).body.entries;
  expect(logged).toMatchObject({ action: 'book.merge', after: { merged: [String(from)] } });
});

it('imports leave merged records alone, and follow references to them', async () => {
  const handlers = new RecordHandlers();
  const [a, b, c] = await make.books(3, (at) => ({ title: `Chain ${at}` }));
  await administrator.post(`/books/${a}/merge`, { into: b });
  await administrator.post(`/books/${b}/merge`, { into: c });
  const store = (kind: string, wire: object) =>
    harness.database.transaction(async (executor) => {
      const handler = handlers.named(kind);
      return (await storeRecords(executor, handler, [handler.parse(wire)])).outcomes;
    });
  expect(await store('book', { id: a, title: 'Again' })).toEqual(['skipped']);
  const { id: user_id } = await make.aUser();
  await store('collection', { user_id, book_id: a, status: 'read' });
  expect([...(await collectionsOf(c as number)).keys()]).toEqual([user_id]);
  expect((await harness.call(`/v2/book/${a}`)).body).toMatchObject({
    id: String(c),
    title: 'Chain 2',
  });
});

it('rejects merges of a record with itself, of different kinds, and of missing records', async () => {
  const [book] = await make.books(1);
  const magazine = await make.aBook({ kind: 'magazine' });
  const statuses = await Promise.all(
    [book, magazine, 1].map(async (into) => {
      const { status, body } = await administrator.post(`/books/${book}/merge`, { into });
      return [status, body.code];
    }),
  );
  expect(statuses).toEqual([
    [400, 999],
    [400, 999],
    [404, 1001],
  ]);
});

it('a merge of films moves reviews, comments, photos, people, showings and chart entries', async () => {
  const films = new MovieFactories(harness.database);
  const person = await films.aCelebrity({ name: 'Both' });
  const other = await films.aCelebrity({ name: 'Only one' });
  const [from, to, third] = (await films.subjects(3, (at) => ({
    title: `Same film ${at === 2 ? 'not' : ''}`,
    ratings_count: 10,
    collect_count: 4,
    rating: { average: at === 0 ? 9 : 7 },
    tags: at === 0 ? ['x', 'y'] : ['y', 'z'],
    directors: [{ id: String(person) }, ...(at === 0 ? [{ id: String(other) }] : [])],
  }))) as [number, number, number];
  await harness.source.query(
    'UPDATE credits SET work_sort_order = 3, featured_sort_order = 1 WHERE subject_id = $1',
    [from],
  );
  await films.reviews(from, 3);
  await films.comments(from, 4);
  await films.comments(to, 1);
  await films.photos({ subject_id: from }, 2);
  await films.photos({ subject_id: to }, 1);
  await films.aChart('weekly', [from, third, to, third, from, to]);
  const city = await films.aCity('Town', 'town');
  await harness.source.query(
    `INSERT INTO showings (subject_id, city_id, from_date, until_date)
     VALUES ($1, $3, '2020-01-01', '2020-02-01'), ($2, $3, '2020-01-01', '2020-01-15'),
       ($1, $3, '2021-01-01', NULL), ($2, $3, '2021-01-01', '2021-02-01')`,
    [from, to, city],
  );
  const preview = await administrator.get(`/subjects/${from}/merge?into=${to}`);
  expect(preview.body.moved).toEqual({
    ...{ reviews: 3, comments: 4, photos: 2, credits: 2, showings: 2, chart_entries: 2 },
  });
  expect((await administrator.post(`/subjects/${from}/merge`, { into: to })).status).toBe(200);
  const { body } = await harness.call(`/v2/movie/subject/${from}`);
  expect(body).toMatchObject({
    ...{ id: String(to), ratings_count: 20, collect_count: 8 },
    ...{ reviews_count: 3, comments_count: 5 },
    rating: { average: 8 },
    directors: [{ name: 'Both' }, { name: 'Only one' }],
  });
  // Its person has the film as a featured work.
  const orders = await harness.source.query<object[]>(
    `SELECT work_sort_order, featured_sort_order FROM credits
     WHERE subject_id = $1 AND celebrity_id = $2`,
    [to, person],
  );
  expect(orders).toEqual([{ work_sort_order: 3, featured_sort_order: 1 }]);
  const token = await harness.token();
  const photos = await harness.call(`/v2/movie/subject/${from}/photos`, { token });
  expect(photos.body).toMatchObject({ total: 3, subject: { id: String(to) } });
  const rows = await harness.source.query<{ rank: number; subject: number }[]>(
    'SELECT rank, subject_id::int AS subject FROM chart_entries ORDER BY rank',
  );
  expect(rows.map(({ rank, subject }) => [rank, subject])).toEqual([
    [1, to],
    [2, third],
    [3, third],
  ]);
  const showings = await harness.source.query<{ until: string | null }[]>(
    'SELECT until_date::text AS until FROM showings WHERE subject_id = $1 ORDER BY from_date',
    [to],
  );
  expect(showings.map(({ until }) => until)).toEqual(['2020-02-01', null]);
  const found = await harness.call('/v2/movie/search?q=Same film');
  expect(found.body.subjects.map(({ id }: { id: string }) => id)).not.toContain(String(from));
  const page = await fetch(`${harness.origin}/movie/subject/${from}/`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([301, `/movie/subject/${to}/`]);
});
