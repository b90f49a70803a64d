import { annotation, book, collection, review } from './records';
import { transferOfFile } from './open-transfer';
import { summary, type Wire } from './transfer';

const transfer = transferOfFile();

const ANN = { id: '3', uid: 'ann', name: 'Ann', signature: 's', avatar: '/a' };
const BOOK = book(7, { title: 'Whole', author: ['A'], tags: [{ count: 2, name: 'x' }] });

const placeholders = async (table: string): Promise<number[]> => {
  const rows = await transfer.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE placeholder ORDER BY id`,
  );
  return rows.map(({ id }) => Number(id));
};

/** A writing by user 3 about book 7, and what it has its author and book in. */
const WRITINGS: readonly (readonly [string, Wire, string | undefined])[] = [
  ['collection', collection(5, 3, 7, {}), undefined],
  ['annotation', annotation(21, 3, 7, {}), 'author_user'],
  ['review', review(31, 3, 7, {}), 'author'],
];

describe.each(WRITINGS)('%s', (kind, record, author) => {
  it('is stored without its user and book, which become placeholders and are not exported', async () => {
    expect(await transfer.take(kind, [record])).toEqual(summary({ imported: 1 }));
    expect(await placeholders('users')).toEqual([3]);
    expect(await placeholders('books')).toEqual([7]);
    expect(await transfer.export('user')).toBe('');
    expect(await transfer.export('book')).toBe('');
    expect(await transfer.records(kind)).toEqual([record]);
  });

  it('stays when its user and book are imported', async () => {
    await transfer.take(kind, [record]);
    expect(await transfer.take('user', [ANN])).toEqual(summary({ imported: 1 }));
    expect(await transfer.take('book', [BOOK])).toEqual(summary({ imported: 1 }));
    expect([await placeholders('users'), await placeholders('books')]).toEqual([[], []]);
    expect(await transfer.records('user')).toEqual([ANN]);
    expect(await transfer.records('book')).toEqual([BOOK]);
    expect(await transfer.records(kind)).toEqual([record]);
  });

  it('does not change an existing user and book', async () => {
    await transfer.take('user', [ANN]);
    await transfer.take('book', [BOOK]);
    const old = { id: '3', uid: 'old', name: 'Old' };
    await transfer.take(kind, [
      { ...record, book: { id: 7, title: 'Old' }, ...(author ? { [author]: old } : {}) },
    ]);
    expect(await transfer.records('user')).toEqual([ANN]);
    expect(await transfer.records('book')).toEqual([BOOK]);
    expect([await placeholders('users'), await placeholders('books')]).toEqual([[], []]);
  });

  it('imports the nested book', async () => {
    const without = Object.fromEntries(
      Object.entries(record).filter(([name]) => name !== 'book_id'),
    );
    await transfer.take(kind, [{ ...without, book: BOOK }]);
    expect(await transfer.records('book')).toEqual([BOOK]);
    expect(await transfer.records(kind)).toEqual([record]);
    expect(await transfer.take('book', [BOOK])).toEqual(summary({ skipped: 1 }));
  });

  it('completes a placeholder book', async () => {
    await transfer.take('collection', [collection(50, 8, 7, {})]);
    await transfer.take(kind, [{ ...record, book: BOOK }]);
    expect(await placeholders('books')).toEqual([]);
    expect(await transfer.records('book')).toEqual([BOOK]);
  });
});

describe.each(WRITINGS.filter(([, , author]) => author))(
  'author of a %s',
  (kind, record, author) => {
    const person = { id: '3', uid: 'ann', name: 'Ann' };
    const withAuthor = { ...record, [String(author)]: person };
    const named = async (): Promise<unknown> =>
      (await transfer.query('SELECT uid, name, placeholder FROM users WHERE id = 3'))[0];

    it('is a placeholder with a name', async () => {
      await transfer.take(kind, [withAuthor]);
      expect(await named()).toEqual({ uid: 'ann', name: 'Ann', placeholder: true });
      expect(await transfer.export('user')).toBe('');
      expect(await transfer.take('user', [ANN])).toEqual(summary({ imported: 1 }));
      expect(await transfer.records('user')).toEqual([ANN]);
    });

    it('gets the name of a later record', async () => {
      await transfer.take('collection', [collection(50, 3, 8, {})]);
      expect(await named()).toEqual({ uid: '3', name: '3', placeholder: true });
      await transfer.take(kind, [withAuthor]);
      expect(await named()).toEqual({ uid: 'ann', name: 'Ann', placeholder: true });
      await transfer.take('collection', [collection(51, 3, 9, {})]);
      expect(await named()).toEqual({ uid: 'ann', name: 'Ann', placeholder: true });
    });

    it('stays the same when a record omits the id', async () => {
      const without = Object.fromEntries(
        Object.entries(withAuthor).filter(([name]) => name !== 'author_id'),
      );
      await transfer.take(kind, [without]);
      expect(await transfer.records(kind)).toEqual([record]);
    });
  },
);

it('is one placeholder for all records that name it by id or uid', async () => {
  const record = annotation(21, 3, 7, {});
  await transfer.take('annotation', [
    record,
    { ...record, id: '22', author_user: { id: 3, uid: 'ann', name: 'Ann' } },
    { ...record, id: '23', book: BOOK },
    { ...record, id: '24' },
  ]);
  expect(await transfer.query('SELECT uid FROM users')).toEqual([{ uid: 'ann' }]);
  expect(await transfer.records('book')).toEqual([BOOK]);
  expect(await transfer.records('annotation')).toHaveLength(4);
});
