import { commentOf, useMergingServices, type MergingServices } from './merging-services';
import { person, photo, reviewOf, simpleSubject } from './movies-records';
import { annotation, book, collection, review } from './records';
import { type Wire } from './transfer';

let services: MergingServices;
useMergingServices((opened) => {
  services = opened;
});

const rating = (value: number): Wire => ({ max: 5, min: 0, value: String(value) });

const ofBooks = async () => ({
  collections: await services.ofTable('collections', 'book_id'),
  annotations: await services.ofTable('annotations', 'book_id'),
  reviews: await services.ofTable('reviews', 'book_id'),
});
const counters = (id: number) =>
  services.second.query(
    `SELECT b.rating_count, b.rating_sum, s.popularity,
       ARRAY(SELECT t.name || ' ' || t.used_count FROM book_tags t WHERE t.book_id = b.id
         ORDER BY t.name) AS tags
     FROM books b JOIN book_search s ON s.book_id = b.id WHERE b.id = $1`,
    [id],
  );

/** What users of the second service wrote about the book 2 and its survivor 1. */
async function writeAboutBook2(): Promise<void> {
  const { transfer } = services.second;
  await transfer.take('collection', [
    collection(5, 3, 2, { rating: rating(4), tags: ['one'], privacy: 'private' }),
    collection(6, 4, 1, { rating: rating(2), tags: ['two'] }),
  ]);
  await transfer.take('annotation', [annotation(21, 3, 2, {})]);
  await transfer.take('review', [review(31, 3, 2, {})]);
  await services.second.query(`INSERT INTO book_sources (source, key, book_id, created_book)
    VALUES ('s', 'k', 2, false)`);
}

it('a full import moves everything about a book that the file merges to the survivor', async () => {
  await services.haveBooks([1, 2]);
  await writeAboutBook2();
  await services.merge(services.first, 'book', [[2, 1]]);
  const folder = await services.exportFirst();
  expect(await services.carry(folder)).toEqual([]);
  const moved = {
    collections: ['5 of 1', '6 of 1'],
    annotations: ['21 of 1'],
    reviews: ['31 of 1'],
  };
  expect(await ofBooks()).toEqual(moved);
  expect(await services.second.query('SELECT book_id::int FROM book_sources')).toEqual([
    { book_id: 1 },
  ]);
  // The tag of the private collection is not counted.
  const counted = [{ rating_count: 2, rating_sum: 6, popularity: 2, tags: ['two 1'] }];
  expect(await counters(1)).toEqual(counted);
  // The time of the file stays.
  expect(
    await services.second.query(`SELECT id::int FROM books WHERE deleted_at = '2025-01-01'`),
  ).toEqual([{ id: 2 }]);
  // Importing the file again changes nothing.
  expect(await services.carry(folder)).toEqual([]);
  expect([await ofBooks(), await counters(1)]).toEqual([moved, counted]);
});

it("a full import makes one collection of a user's collections of books that the file merges", async () => {
  await services.haveBooks([1, 2, 3]);
  await services.second.transfer.take('collection', [
    collection(5, 3, 1, { tags: ['one'], updated: '2020-01-01 00:00:00' }),
    collection(6, 3, 2, { tags: ['two'], updated: '2022-01-01 00:00:00' }),
    collection(7, 3, 3, { comment: 'c', rating: rating(5), updated: '2021-01-01 00:00:00' }),
    collection(8, 4, 3, { rating: rating(1), tags: ['two'] }),
  ]);
  await services.merge(services.first, 'book', [
    [2, 1],
    [3, 1],
  ]);
  expect(await services.carry()).toEqual([]);
  expect(
    await services.second.query(
      'SELECT id::int, book_id::int, comment, tags FROM collections ORDER BY id',
    ),
  ).toEqual([
    { id: 6, book_id: 1, comment: 'c', tags: ['two', 'one'] },
    { id: 8, book_id: 1, comment: '', tags: ['two'] },
  ]);
  expect(await counters(1)).toEqual([
    { rating_count: 2, rating_sum: 6, popularity: 2, tags: ['one 1', 'two 2'] },
  ]);
});

it('a full import keeps one of the collections that a user has here and in the file', async () => {
  await services.haveBooks([1, 2]);
  await services.second.transfer.take('collection', [collection(5, 3, 2, { tags: ['one'] })]);
  // The other service has moved the same collection already.
  await services.first.transfer.take('collection', [collection(5, 3, 1, { tags: ['one'] })]);
  await services.merge(services.first, 'book', [[2, 1]]);
  expect(await services.carry()).toEqual([]);
  expect(await services.second.query('SELECT book_id::int, tags FROM collections')).toEqual([
    { book_id: 1, tags: ['one'] },
  ]);
});

it('a full import moves everything about a book to the survivor of its survivor', async () => {
  await services.haveBooks([1, 2, 3]);
  await services.merge(services.second, 'book', [[1, 3]]);
  await services.second.transfer.take('collection', [collection(5, 3, 2, { rating: rating(4) })]);
  await services.second.transfer.take('annotation', [annotation(21, 3, 2, {})]);
  await services.merge(services.first, 'book', [[2, 1]]);
  expect(await services.carry()).toEqual([]);
  expect(await ofBooks()).toEqual({
    collections: ['5 of 3'],
    annotations: ['21 of 3'],
    reviews: [],
  });
  expect(await counters(3)).toMatchObject([{ rating_count: 1, rating_sum: 4 }]);
});

it('a full import moves everything about books that the file merges in a chain', async () => {
  await services.haveBooks([1, 2, 3, 4]);
  await services.second.transfer.take('review', [
    ...[1, 2, 3].map((id) => review(30 + id, 3, id, {})),
    review(34, 4, 4, {}),
  ]);
  await services.merge(services.first, 'book', [
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
  expect(await services.carry()).toEqual([]);
  const { reviews } = await ofBooks();
  expect(reviews).toEqual(['31 of 4', '32 of 4', '33 of 4', '34 of 4']);
});

it('a full import rejects merges of records of different kinds, and stores the others', async () => {
  await services.haveBooks([1, 2, 3]);
  await services.haveFilms([1, 2, 3]);
  await services.second.transfer.take('review', [review(31, 3, 2, {}), review(32, 3, 3, {})]);
  await services.second.transfer.take('movie-review', [reviewOf(2, 41), reviewOf(3, 42)]);
  for (const [kind, table, column] of [
    ['book', 'books', 'kind'],
    ['movie', 'subjects', 'subtype'],
  ] as const) {
    await services.first
      .query(`UPDATE ${table} SET ${column} = '${kind === 'book' ? 'magazine' : 'tv'}'
      WHERE id = 2`);
    await services.merge(services.first, kind, [
      [2, 1],
      [3, 1],
    ]);
  }
  expect((await services.carry()).sort()).toEqual([
    'a film and a series cannot be merged',
    'only records of the same kind can be merged',
  ]);
  expect(
    await services.second.query(
      'SELECT kind, id::int, survivor_id::int FROM merged_records ORDER BY kind',
    ),
  ).toEqual([
    { kind: 'book', id: 3, survivor_id: 1 },
    { kind: 'movie', id: 3, survivor_id: 1 },
  ]);
  expect([
    await services.ofTable('reviews', 'book_id'),
    await services.ofTable('movie_reviews', 'subject_id'),
  ]).toEqual([
    ['31 of 2', '32 of 1'],
    ['41 of 2', '42 of 1'],
  ]);
});

it('a full import deletes merged records that the file has as placeholders', async () => {
  for (const { transfer } of [services.first, services.second])
    await transfer.take('book', [book(1, { title: 'a' })]);
  await services.second.transfer.take('book', [book(2, { title: 'b' })]);
  await services.first.query(
    `INSERT INTO merged_records (kind, id, survivor_id) VALUES ('book', 2, 1)`,
  );
  expect(await services.carry()).toEqual([]);
  expect(await services.second.query('SELECT book_id::int FROM book_search')).toEqual([
    { book_id: 1 },
  ]);
  expect(
    await services.second.query('SELECT id::int FROM books WHERE deleted_at IS NOT NULL'),
  ).toEqual([{ id: 2 }]);
});

/** The subjects of a chart by rank. */
const chart = () =>
  services.second.query(`SELECT rank, subject_id::int AS film FROM chart_entries ORDER BY rank`);

it('a full import moves everything about films that the file merges to the survivors', async () => {
  await services.haveFilms([1, 2, 3, 4, 5, 6]);
  const { transfer } = services.second;
  await transfer.take('movie-review', [reviewOf(1, 41), reviewOf(2, 42), reviewOf(5, 43)]);
  await transfer.take('movie-comment', [commentOf(2, 51), commentOf(5, 52)]);
  await transfer.take(
    'photo',
    [1, 2].map((id) => photo(70 + id, { subject_id: String(id) })),
  );
  await transfer.take('movie', [
    simpleSubject(1, 'Film 1', { casts: [person(7, 'kept')] }),
    simpleSubject(2, 'Film 2', { casts: [person(8, 'moved'), person(7, 'kept')] }),
  ]);
  const top = transfer.charts({ name: 'top250', date: '2024-05-01' });
  const subjects = [2, 1, 6, 4, 5, 3].map((id) => simpleSubject(id, `Film ${id}`));
  await transfer.take(top, [{ start: 0, count: 6, total: 6, subjects }]);
  // The films 2 and 1, and 5 and 4, are both on the chart.
  await services.merge(services.first, 'movie', [
    [2, 1],
    [5, 4],
  ]);
  const folder = await services.exportFirst();
  const state = async () => [
    await services.ofTable('movie_reviews', 'subject_id'),
    await services.ofTable('movie_comments', 'subject_id'),
    await services.ofTable('photos', 'subject_id'),
    await services.second.query(`SELECT id::int, reviews_count, comments_count FROM subjects
      WHERE deleted_at IS NULL ORDER BY id`),
    await services.second
      .query(`SELECT subject_id::int AS film, celebrity_id::int AS person FROM credits
      WHERE role = 'actor' ORDER BY subject_id, position`),
    await services.second.query('SELECT position, photos_count FROM photos ORDER BY position'),
    await chart(),
  ];
  const moved = [
    ['41 of 1', '42 of 1', '43 of 4'],
    ['51 of 1', '52 of 4'],
    ['71 of 1', '72 of 1'],
    [
      { id: 1, reviews_count: 2, comments_count: 1 },
      { id: 3, reviews_count: 0, comments_count: 0 },
      { id: 4, reviews_count: 1, comments_count: 1 },
      { id: 6, reviews_count: 0, comments_count: 0 },
    ],
    [
      { film: 1, person: 7 },
      { film: 1, person: 8 },
    ],
    [
      { position: 0, photos_count: 2 },
      { position: 1, photos_count: 2 },
    ],
    [1, 6, 4, 3].map((film, at) => ({ rank: at + 1, film })),
  ];
  for (let time = 0; time < 2; time += 1) {
    expect(await services.carry(folder)).toEqual([]);
    expect(await state()).toEqual(moved);
  }
  const [search] = await services.second.query<{ body: string }>(
    'SELECT body FROM subject_search WHERE subject_id = 1',
  );
  expect(search?.body).toContain('moved');
  expect(
    await services.second.query('SELECT 1 FROM subject_search WHERE subject_id IN (2, 5)'),
  ).toEqual([]);
});

it('a full import rejects merges in the other direction, and keeps the survivors here', async () => {
  await services.haveBooks([1, 2]);
  await services.haveFilms([1, 2]);
  for (const kind of ['book', 'movie'] as const) {
    await services.merge(services.first, kind, [[1, 2]]);
    await services.merge(services.second, kind, [[2, 1]]);
  }
  const folder = await services.exportFirst();
  for (let time = 0; time < 2; time += 1) {
    expect(await services.carry(folder)).toEqual(
      ['book', 'movie'].map((kind) => `the survivor of ${kind} 1 was merged into it`),
    );
    for (const [table, name] of [
      ['books', 'Book 1'],
      ['subjects', 'Film 1'],
    ] as const) {
      expect(
        await services.second.query(`SELECT id::int, title FROM ${table} WHERE deleted_at IS NULL`),
      ).toEqual([{ id: 1, title: name }]);
    }
  }
});

it('a full import keeps a survivor deleted that an administrator has deleted here', async () => {
  await services.haveBooks([1, 2]);
  await services.haveFilms([1, 2]);
  const { second } = services;
  for (const kind of ['book', 'movie'] as const) await services.merge(second, kind, [[2, 1]]);
  for (const table of ['books', 'subjects'])
    await second.query(`UPDATE ${table} SET deleted_at = '2025-02-02' WHERE id = 1`);
  const progress = await second.import(await second.export('deleted'));
  expect(progress.map(({ kind, updated }) => [kind, updated]).filter(([, n]) => n !== 0)).toEqual(
    [],
  );
  for (const table of ['books', 'subjects'])
    expect(await second.query(`SELECT 1 FROM ${table} WHERE deleted_at IS NULL`)).toEqual([]);
});
