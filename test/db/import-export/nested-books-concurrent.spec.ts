import { BookHandler } from '../../../src/import-export/books/book.handler';
import { storeRecords } from '../../../src/import-export/engine/store';
import { untilBlocked } from '../../until-blocked';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { annotation, book, review } from './records';
import { Transfer, type Wire } from './transfer';

let opened: TestDatabase;
let transfer: Transfer;
beforeEach(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
});
afterEach(() => opened.close());

const completeBook = (id: number): Wire =>
  book(id, {
    ...{ title: `Complete ${id}`, author: ['Author'], summary: 'About it' },
    tags: [{ count: 3, name: 'tag' }],
  });

/** An annotation that contains a shorter version of its book. */
const annotationOf = (id: number): Wire => {
  const { book_id: _id, ...record } = annotation(id, 3, id, {});
  return { ...record, book: { id: String(id), title: `Short ${id}` } };
};

/** Imports annotations while another transaction stores their complete books. */
async function importDuringBooks(ids: readonly number[]): Promise<void> {
  const handler = new BookHandler();
  const books = ids.map((id) => handler.parse(completeBook(id)));
  let importing: Promise<unknown> = Promise.resolve();
  await opened.database.transaction(async (executor) => {
    await storeRecords(executor, handler, books);
    importing = transfer.take('annotation', ids.map(annotationOf));
    await Promise.race([untilBlocked(opened.source), importing]);
  });
  await importing;
}

it.each([1, 50])(
  'nested books do not replace %i that another transaction stores',
  async (count) => {
    const ids = Array.from({ length: count }, (_, at) => at + 1);
    await importDuringBooks(ids);
    expect(await transfer.records('book')).toEqual(ids.map(completeBook));
    const search = await transfer.query<{ title: string }>(
      `SELECT b.title FROM book_search s JOIN books b ON b.id = s.book_id
     WHERE s.body LIKE '%about it%' OR s.title LIKE '%complete%' ORDER BY b.id`,
    );
    expect(search).toEqual(ids.map((id) => ({ title: `Complete ${id}` })));
    expect(await transfer.records('annotation')).toHaveLength(count);
  },
);

it('a placeholder that another transaction completes is not replaced by a nested book', async () => {
  await transfer.take('review', [review(31, 3, 1, {}), review(32, 3, 2, {})]);
  await importDuringBooks([1]);
  expect(await transfer.records('book')).toEqual([completeBook(1)]);
  // A placeholder that nobody else completes still becomes the nested book.
  await transfer.take('annotation', [annotationOf(2)]);
  expect((await transfer.records('book'))[1]).toMatchObject({ id: '2', title: 'Short 2' });
});
