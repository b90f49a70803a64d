import { checkBooks } from '../../../src/import-export/engine/recount';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Transfer, type Wire } from './transfer';

let opened: TestDatabase;
let make: Factories;
beforeEach(async () => {
  opened = await openTestDatabase();
  make = new Factories(opened.database);
});
afterEach(() => opened.close());

const check = (repair: boolean) => checkBooks(opened.database, { repair });

it('reports nothing when all counters are correct', async () => {
  await make.aCollection({ rating: 4, tags: ['a', 'b'] });
  await make.aCollection({ rating: 2, tags: ['a'], privacy: 'private' });
  expect(await check(true)).toEqual([]);
});

it('reports each wrong counter, corrects all, and reports nothing on the next run', async () => {
  const { book_id: one } = await make.aCollection({ rating: 4, tags: ['a', 'b'] });
  const { book_id: two } = await make.aCollection({ rating: 2 });
  await opened.source.query('UPDATE books SET rating_count = 7, rating_sum = 9 WHERE id = $1', [
    one,
  ]);
  await opened.source.query('UPDATE book_search SET popularity = 5 WHERE book_id = $1', [two]);
  await opened.source.query(
    `UPDATE book_tags SET used_count = 3 WHERE book_id = $1 AND name = 'a'`,
    [one],
  );
  await opened.source.query(`DELETE FROM book_tags WHERE book_id = $1 AND name = 'b'`, [one]);
  await opened.source.query(
    `INSERT INTO book_tags (book_id, name, folded, used_count) VALUES ($1, 'c', 'c', 1)`,
    [two],
  );
  const drift = [
    { book_id: one, what: 'raters', stored: 7, counted: 1 },
    { book_id: one, what: 'rating sum', stored: 9, counted: 4 },
    { book_id: one, what: 'tag a', stored: 3, counted: 1 },
    { book_id: one, what: 'tag b', stored: 0, counted: 1 },
    { book_id: two, what: 'popularity', stored: 5, counted: 1 },
    { book_id: two, what: 'tag c', stored: 1, counted: 0 },
  ];
  expect(await check(false)).toEqual(drift);
  expect(await check(true)).toEqual(drift);
  expect(await check(true)).toEqual([]);
});

describe('an import of collections', () => {
  const importAll = (records: readonly Wire[]): Promise<unknown> =>
    new Transfer(opened.database).import('collection', records);

  it('counts their ratings and tags, also those that change or disappear', async () => {
    const [one, two] = (await make.books(2)) as [number, number];
    const [user, other] = [(await make.aUser()).id, (await make.aUser()).id];
    const of = (user_id: number, book_id: number, more: Wire): Wire => ({
      ...{ user_id: String(user_id), book_id: String(book_id), status: 'read' },
      ...more,
    });
    const rated = (value: number): Wire => ({ rating: { max: 5, min: 0, value: String(value) } });
    await importAll([
      of(user, one, { ...rated(4), tags: ['a', 'b'] }),
      of(other, one, { ...rated(2), tags: ['a', 'c'] }),
      of(user, two, { tags: ['a'], privacy: 'private' }),
    ]);
    expect(await check(false)).toEqual([]);
    await importAll([
      of(user, one, { tags: ['b', 'd'] }),
      of(other, one, { ...rated(5), tags: ['a'], privacy: 'private' }),
      of(user, two, { ...rated(1), tags: ['a'], privacy: 'public' }),
    ]);
    expect(await check(false)).toEqual([]);
    const tags: unknown = await opened.source.query(
      'SELECT book_id::int, name FROM book_tags ORDER BY book_id, name',
    );
    expect(tags).toEqual([
      { book_id: one, name: 'b' },
      { book_id: one, name: 'd' },
      { book_id: two, name: 'a' },
    ]);
  });

  // A popular book may have a million, and the import locks it meanwhile.
  it('does not read the other collections of a book', async () => {
    const { book_id } = await make.aCollection({ rating: 4, tags: ['a'] });
    await opened.source.query('UPDATE books SET rating_count = 2 WHERE id = $1', [book_id]);
    const { id: user } = await make.aUser();
    const rating = { max: 5, min: 0, value: '3' };
    await importAll([{ user_id: String(user), book_id: String(book_id), status: 'read', rating }]);
    const drift = { book_id, what: 'raters', stored: 3, counted: 2 };
    expect(await check(false)).toContainEqual(drift);
  });
});
