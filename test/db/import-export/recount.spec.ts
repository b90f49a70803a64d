import { checkBooks } from '../../../src/import-export/engine/recount';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';

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
