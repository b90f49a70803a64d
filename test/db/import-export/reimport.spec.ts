import { annotation, book, collection, KINDS, RECORDS, review } from './records';
import { transferOfFile } from './open-transfer';
import { summary, type Wire } from './transfer';

const transfer = transferOfFile();

const user = (id: number, uid: string, more: Wire = {}): Wire => ({
  id: String(id),
  uid,
  name: 'n',
  signature: '',
  avatar: '',
  ...more,
});

describe.each<[string, Wire, Wire[]]>([
  ['user', user(3, 'ann'), [{ uid: 'ann2' }, { name: 'x' }, { signature: 'x' }, { avatar: '/x' }]],
  [
    'book',
    book(7, { title: 't', tags: [{ count: 1, name: 'a' }] }),
    [
      { title: 'x' },
      { author: ['x'] },
      { rating: { max: 10, min: 0, numRaters: 1, average: '0.0' } },
      { tags: [{ count: 2, name: 'a' }] },
      { tags: [] },
      { series: { id: '5', title: 'x' } },
      { isbn13: '9787536692930' },
    ],
  ],
  [
    'collection',
    collection(5, 3, 7, {}),
    [
      { status: 'wish' },
      { comment: 'x' },
      { tags: ['x'] },
      { privacy: 'private' },
      { updated: '2014-01-01 00:00:00' },
    ],
  ],
  [
    'annotation',
    annotation(21, 3, 7, {}),
    [{ content: 'x' }, { privacy: 1 }, { photos: { 1: '/1' }, last_photo: 1 }, { author_id: '4' }],
  ],
  [
    'review',
    review(31, 3, 7, {}),
    [{ content: 'x' }, { title: 'x' }, { votes: 1 }, { published: '2001-01-01 00:00:00' }],
  ],
])('an existing %s', (kind, record, changes) => {
  it.each(changes)('is updated by a record with %j', async (change) => {
    const other = RECORDS[kind as keyof typeof RECORDS].slice(-1);
    await transfer.take(kind, [record, ...other]);
    const before = await transfer.sizes();
    const changed = { ...record, ...change };
    expect(await transfer.take(kind, [changed, ...other])).toEqual(
      summary({ updated: 1, skipped: 1 }),
    );
    const records = await transfer.records(kind);
    expect(records).toContainEqual(changed);
    expect(records).toHaveLength(2);
    expect((await transfer.sizes())[`${kind}s`]).toBe(before[`${kind}s`]);
  });

  it('gets the values of the last record of a file', async () => {
    const changed = { ...record, ...changes[0] };
    expect(await transfer.take(kind, [record, changed, record, changed])).toEqual(
      summary({ imported: 1, skipped: 3 }),
    );
    expect(await transfer.records(kind)).toEqual([changed]);
  });
});

it.each(KINDS)('does not use up ids: the next new %s follows the imported ones', async (kind) => {
  const made: Record<string, string> = {
    user: `INSERT INTO users (uid, name) SELECT 'new' || count(*), 'n' FROM users`,
    book: `INSERT INTO books (title) VALUES ('t')`,
    collection: `INSERT INTO collections (user_id, book_id, status)
      SELECT u.id, b.id, 'read' FROM users u, books b
      WHERE NOT EXISTS (SELECT 1 FROM collections c WHERE c.user_id = u.id AND c.book_id = b.id)
      LIMIT 1`,
    annotation: `INSERT INTO annotations (user_id, book_id, content)
      SELECT user_id, book_id, 'c' FROM annotations LIMIT 1`,
    review: `INSERT INTO reviews (user_id, book_id, title, content)
      SELECT user_id, book_id, 't', 'c' FROM reviews LIMIT 1`,
  };
  const records = RECORDS[kind];
  const next = async (): Promise<number> => {
    const [row] = await transfer.query<{ id: string }>(`${made[kind]} RETURNING id`);
    return Number(row?.id);
  };
  await transfer.take(kind, records);
  // Ids from 2^52 on leave the service's own numbers alone.
  const largest = Math.max(...records.map(({ id }) => Number(id)).filter((id) => id < 2 ** 52));
  expect(await next()).toBe(largest + 1);
  await transfer.take(kind, [{ ...records[0], id: 2, user_id: '99', uid: 'early' }]);
  if (kind !== 'collection') expect(await next()).toBe(largest + 2);
});

describe('an omitted member', () => {
  it.each([
    ['collection', { user_id: 3, book_id: 7, status: 'read' }],
    ['annotation', { id: 21, author_id: 3, book_id: 7, content: 'c' }],
    ['review', { id: 31, author_id: 3, book_id: 7, title: 't', content: 'c' }],
  ])('keeps its stored value: %s', async (kind, record) => {
    await transfer.take(kind, [record]);
    await transfer.query(`UPDATE ${kind}s SET updated_at = '2001-02-03 04:05:06'`);
    const before = await transfer.export(kind);
    expect(await transfer.take(kind, [record])).toEqual(summary({ skipped: 1 }));
    expect(await transfer.export(kind)).toBe(before);
  });

  it('of a new collection gets a default: a new id, the time of import', async () => {
    await transfer.take('collection', [collection(50, 3, 7, {})]);
    await transfer.take('collection', [{ user_id: 3, book_id: 8, status: 'read' }]);
    const [, made] = await transfer.records('collection');
    expect(made).toMatchObject({ id: 51, book_id: '8' });
    const [row] = await transfer.query<{ now: boolean }>(
      `SELECT updated_at BETWEEN now() - interval '1 minute' AND now() AS now
       FROM collections WHERE id = 51`,
    );
    expect(row).toEqual({ now: true });
  });
});

it('a collection is found by user and book, and keeps its id', async () => {
  await transfer.take('collection', [collection(5, 3, 7, {})]);
  await transfer.take('collection', [collection(9, 3, 7, { comment: 'x' })]);
  expect(await transfer.records('collection')).toEqual([collection(5, 3, 7, { comment: 'x' })]);
});

describe('a book without an id', () => {
  const stored = book(7, { title: 'old', isbn13: '9787536692930' });

  it.each([
    ['the same ISBN', { isbn13: '9787536692930' }],
    ['its other form', { isbn10: '7536692935' }],
    ['a printed form', { isbn13: '978-7-5366-9293-0' }],
    ['both', { isbn10: '7536692935', isbn13: '9787536692930' }],
  ])('updates the stored book with %s', async (_which, isbns) => {
    await transfer.take('book', [stored]);
    expect(await transfer.take('book', [{ title: 'new', ...isbns }])).toEqual(
      summary({ updated: 1 }),
    );
    expect(await transfer.records('book')).toEqual([
      { ...book(7, { title: 'new' }), isbn10: '', isbn13: '', ...bare(isbns) },
    ]);
  });

  it.each([
    [{ isbn13: '9780804429573' }, { isbn10: '0-8044-2957-x' }],
    [{ isbn10: '080442957X' }, { isbn13: '9780804429573' }],
    [{ isbn10: '080442957X' }, { isbn10: '080442957x' }],
  ])('updates the book stored with %j when it has %j', async (stored, imported) => {
    await transfer.take('book', [book(7, { title: 'old', ...stored })]);
    expect(await transfer.take('book', [{ title: 'new', ...imported }])).toEqual(
      summary({ updated: 1 }),
    );
    expect((await transfer.records('book')).map(({ id, title }) => [id, title])).toEqual([
      ['7', 'new'],
    ]);
  });

  it('is inserted otherwise, and updated by the next import', async () => {
    await transfer.take('book', [stored]);
    const other = { title: 'other', isbn13: '9787229030933' };
    expect(await transfer.take('book', [other])).toEqual(summary({ imported: 1 }));
    expect(await transfer.take('book', [other])).toEqual(summary({ skipped: 1 }));
    expect(await transfer.records('book')).toEqual([stored, book(8, other)]);
  });

  it('and without an ISBN is inserted each time', async () => {
    const books = [{ title: 'a' }, { title: 'b' }, { title: 'c', isbn10: 'none' }];
    expect(await transfer.take('book', books)).toEqual(summary({ imported: 3 }));
    expect((await transfer.records('book')).map(({ title }) => title)).toEqual(['a', 'b', 'c']);
  });

  it('is inserted once when the file repeats its ISBN', async () => {
    await transfer.take('book', [
      { title: 'first', isbn13: '9787536692930' },
      { title: 'second', isbn10: '7536692935' },
    ]);
    expect((await transfer.records('book')).map(({ title }) => title)).toEqual(['second']);
  });

  it('is the book with an id and the same ISBN in that file', async () => {
    await transfer.take('book', [stored, { title: 'new', isbn13: '9787536692930' }]);
    expect(await transfer.records('book')).toEqual([{ ...stored, title: 'new' }]);
  });

  it('updates the oldest of several books with its ISBN', async () => {
    await transfer.take('book', [{ ...stored, id: '9' }, stored, { ...stored, id: '8' }]);
    await transfer.take('book', [{ title: 'new', isbn13: '9787536692930' }]);
    const titles = (await transfer.records('book')).map(({ id, title }) => [id, title]);
    expect(titles).toEqual([
      ['7', 'new'],
      ['8', 'old'],
      ['9', 'old'],
    ]);
  });
});

const bare = (isbns: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(isbns).map(([name, isbn]) => [name, isbn.replaceAll('-', '')]));
