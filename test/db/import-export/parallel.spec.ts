import { annotation, book, collection, review } from './records';
import { transferOfFile } from './open-transfer';
import { summary, toLines, type Wire } from './transfer';

const AT_ONCE = 8;

const transfer = transferOfFile();

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** The same records, beginning elsewhere, every other time backward. */
function turned<T>(records: readonly T[], by: number): T[] {
  const at = Math.floor((records.length * by) / AT_ONCE);
  const all = [...records.slice(at), ...records.slice(0, at)];
  return by % 2 === 0 ? all : all.reverse();
}

/** Runs imports at once; what became of each. */
async function atOnce(work: (by: number) => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled(numbers(AT_ONCE).map((by) => work(by - 1)));
  const reasons = ends.filter((end) => end.status === 'rejected').map((end) => end.reason as Error);
  expect(reasons.map(({ message, cause }) => [message, String(cause)])).toEqual([]);
}

const USERS = numbers(60).map((id): Wire => {
  return { id: String(id), uid: `u${id}`, name: 'n', signature: '', avatar: '' };
});
const BOOKS = numbers(80).map((id) =>
  book(id, {
    title: `Book ${id}`,
    tags: [{ count: 2, name: `tag ${id % 7}` }],
    series: { id: String((id % 5) + 1), title: `Series ${(id % 5) + 1}` },
  }),
);
const COLLECTIONS = numbers(600).map((id) =>
  collection(id, (id % 60) + 1, ((id * 7 + Math.floor(id / 60)) % 80) + 1, {
    rating: { max: 5, min: 0, value: String((id % 5) + 1) },
    tags: [`tag ${id % 7}`, `own ${id % 3}`],
  }),
);
const ANNOTATIONS = numbers(600).map((id) => annotation(id, (id % 60) + 1, (id % 80) + 1, {}));
const REVIEWS = numbers(600).map((id) => review(id, (id % 60) + 1, (id % 80) + 1, {}));
const ALL: readonly (readonly [string, readonly Wire[]])[] = [
  ['user', USERS],
  ['book', BOOKS],
  ['collection', COLLECTIONS],
  ['annotation', ANNOTATIONS],
  ['review', REVIEWS],
];

/** The counters of books equal the sums of their collections. */
async function expectCounted(): Promise<void> {
  const wrong = await transfer.query(
    `SELECT b.id FROM books b WHERE
       (b.rating_count, b.rating_sum) IS DISTINCT FROM
         (SELECT (count(c.rating)::int, coalesce(sum(c.rating), 0)::int) FROM collections c
          WHERE c.book_id = b.id)
       OR (SELECT coalesce(sum(t.used_count), 0) FROM book_tags t WHERE t.book_id = b.id) <>
         (SELECT coalesce(sum(cardinality(c.tags)), 0) FROM collections c WHERE c.book_id = b.id)`,
  );
  expect(wrong).toEqual([]);
}

it('concurrent imports of one file have the result of one import', async () => {
  await atOnce(async (by) => {
    for (const [kind, records] of ALL) await transfer.import(kind, turned(records, by));
  });
  for (const [kind, records] of ALL) expect(await transfer.export(kind)).toBe(toLines(records));
  await expectCounted();
});

it('concurrent imports that begin with different types have the same result, also over placeholders', async () => {
  await atOnce(async (by) => {
    const kinds = turned(ALL, by);
    for (const [kind, records] of kinds) await transfer.import(kind, turned(records, by));
  });
  for (const [kind, records] of ALL) expect(await transfer.export(kind)).toBe(toLines(records));
  await expectCounted();
});

it('concurrent collections of one book are all counted', async () => {
  await transfer.take('book', BOOKS);
  await atOnce(async (by) => {
    const own = numbers(80).map((of) =>
      collection(by * 80 + of, by + 1, of, {
        rating: { max: 5, min: 0, value: '4' },
        tags: [`tag ${of % 7}`],
      }),
    );
    // In small pieces, so that there are many transactions.
    for (const at of numbers(8)) {
      const piece = own.slice((at - 1) * 10, at * 10);
      expect(await transfer.import('collection', piece)).toEqual({
        summary: summary({ imported: 10 }),
        faults: [],
      });
    }
  });
  expect((await transfer.sizes()).collections).toBe(AT_ONCE * 80);
  await expectCounted();
});

it('concurrent imports create one book per ISBN', async () => {
  const books = numbers(40).map((at) => ({ title: `t${at}`, isbn13: String(9780000000000 + at) }));
  await atOnce((by) => transfer.import('book', turned(books, by)));
  const isbns = (await transfer.records('book')).map(({ isbn13 }) => isbn13);
  expect([isbns.length, new Set(isbns).size]).toEqual([40, 40]);
});

it('new books get unused ids while other imports bring ids', async () => {
  await transfer.take('book', [book(5000, { title: 'last' })]);
  await atOnce(async (by) => {
    for (const at of numbers(50)) {
      const kept = book(by * 50 + at, { title: 'kept' });
      await transfer.take('book', by % 2 === 0 ? [{ title: 'new' }] : [kept]);
    }
  });
  const titles = (await transfer.records('book')).map(({ title }) => title);
  const count = (wanted: string): number => titles.filter((title) => title === wanted).length;
  expect({ kept: count('kept'), new: count('new') }).toEqual({ kept: 200, new: 200 });
});
