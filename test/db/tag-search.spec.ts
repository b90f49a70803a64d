import { Client } from 'pg';
import { TagCounts1764600100000 } from '../../migrations/1764600100000-tag-counts';
import { applyCounterDelta, lockBook, NO_CONTRIBUTION } from '../../src/books/book-counters';
import { BY_TAG } from '../../src/books/search.repository';
import { checkTagCounts, MERGE_TAG_COUNTS } from '../../src/books/tag-counts';
import { type Database } from '../../src/database/database';
import { BookHandler } from '../../src/import-export/books/book.handler';
import { recountBooks } from '../../src/import-export/engine/recount';
import { fold } from '../../src/text/fold';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';

let opened: TestDatabase;
let database: Database;
let make: Factories;
let user: number;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  make = new Factories(database);
  user = (await make.aUser()).id;
});
afterAll(() => opened.close());

const handler = new BookHandler();
const BOOKS = 24;
// Some differ in case or width only, so that their folded names are equal.
const TAGS = ['sf', 'SF', 'ＳＦ', '科幻', '小说', 'Novel', 'novel', '热门'];
const FOLDED = [...new Set(TAGS.map(fold))];

const below = (limit: number): number => randomInteger() % limit;
const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
const someTags = (): string[] => TAGS.filter(() => below(3) === 0);

const NAIVE = `
  SELECT t.book_id::int AS id FROM book_tags t JOIN book_search s ON s.book_id = t.book_id
  WHERE t.folded = $1 GROUP BY t.book_id ORDER BY max(t.count) DESC, t.book_id`;

/** One search by each tag; the statement and its definition, in the same snapshot. */
async function expectExact(reader: Client): Promise<void> {
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for (const tag of FOLDED) {
    const expected = (await reader.query<{ id: number }>(NAIVE, [tag])).rows.map(({ id }) => id);
    const start = below(4);
    const { rows } = await reader.query<{ id: string; total: number; hit: boolean }>({
      text: BY_TAG.text,
      values: [BOOKS, start, null, tag],
    });
    const found = rows.filter(({ hit }) => hit).map(({ id }) => Number(id));
    expect({ tag, total: rows[0]?.total, found }).toEqual({
      ...{ tag, total: expected.length },
      found: expected.slice(start),
    });
  }
  await reader.query('COMMIT');
}

const importBook = (id: number, kind: string): Promise<void> =>
  database.transaction((executor) =>
    handler.write(executor, [
      handler.parse({
        ...{ id, kind, title: `Book ${id}` },
        tags: someTags().map((name) => ({ name, count: below(5) + 1 })),
      }),
    ]),
  );

const collect = (id: number): Promise<void> =>
  database.transaction(async (executor) => {
    if ((await lockBook(executor, id)) !== 'book') return;
    const before = { ...NO_CONTRIBUTION, tags: someTags() };
    await applyCounterDelta(executor, id, before, { ...NO_CONTRIBUTION, tags: someTags() });
  });

const WRITES: readonly ((id: number) => Promise<unknown>)[] = [
  (id) => importBook(id, pick(['book', 'book', 'book', 'magazine'])),
  collect,
  collect,
  (id) => database.transaction((executor) => handler.editing.deletion.delete(executor, id)),
  (id) =>
    database.transaction(async (executor) => {
      const restored = await handler.editing.deletion.restore(executor, id);
      if (restored) await handler.write(executor, [handler.parse({ id, title: `Book ${id}` })]);
    }),
  (id) => database.transaction((executor) => recountBooks(executor, [id])),
  () => database.query(MERGE_TAG_COUNTS),
];

it('a search by tag has every book once, in order and with the exact total, during and after concurrent writes', async () => {
  const ids = await make.books(BOOKS);
  // A collection of a placeholder has tags, which no search finds.
  await opened.source.query('UPDATE books SET placeholder = true WHERE id = $1', [ids[0]]);
  await opened.source.query('DELETE FROM book_search WHERE book_id = $1', [ids[0]]);
  await make.collections(user, ids.slice(0, 4), () => ({ tags: ['sf', 'SF'] }));
  const reader = new Client({ connectionString: opened.url });
  await reader.connect();
  try {
    for (let round = 0; round < 6; round += 1) {
      const writers = Array.from({ length: 4 }, async () => {
        for (let step = 0; step < 25; step += 1) await pick(WRITES)(pick(ids));
      });
      let writing = true;
      const done = Promise.all(writers).finally(() => {
        writing = false;
      });
      do await expectExact(reader);
      while (writing);
      await done;
      await expectExact(reader);
      expect(await checkTagCounts(database, { repair: false })).toEqual([]);
    }
    await opened.source.query('DELETE FROM books WHERE id = ANY($1::bigint[])', [ids.slice(4, 9)]);
    await expectExact(reader);
    await database.query(MERGE_TAG_COUNTS);
    await expectExact(reader);
    expect(await checkTagCounts(database, { repair: false })).toEqual([]);
  } finally {
    await reader.end();
  }
});

it('tags of an imported book are counted, and only those are checked that have the same folded name', async () => {
  const id = await make.aBook({
    tags: [
      { name: 'Alpha', count: 3 },
      { name: 'alpha', count: 4 },
      { name: 'beta', count: 2 },
    ],
  });
  const rows = await opened.source.query<unknown[]>(
    'SELECT name, uncounted FROM book_tags WHERE book_id = $1 ORDER BY name',
    [id],
  );
  expect(rows).toEqual([
    { name: 'Alpha', uncounted: true },
    { name: 'alpha', uncounted: true },
    { name: 'beta', uncounted: false },
  ]);
});

it('the migration counts the tags of an existing database', async () => {
  const [, hidden = 0] = await make.books(3, () => ({
    tags: ['SF', 'sf', '科幻'].map((name) => ({ name, count: below(5) + 1 })),
  }));
  await database.transaction((executor) => handler.editing.deletion.delete(executor, hidden));
  const runner = opened.source.createQueryRunner();
  const migration = new TagCounts1764600100000();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  expect(await checkTagCounts(database, { repair: false })).toEqual([]);
  const reader = new Client({ connectionString: opened.url });
  await reader.connect();
  await expectExact(reader).finally(() => reader.end());
});

it('recount reports and repairs wrong numbers of books of a tag', async () => {
  await make.aBook({ tags: [{ name: 'gamma', count: 3 }] });
  const unlisted = await make.aBook({ tags: [{ name: 'delta', count: 3 }] });
  await opened.source.query(`INSERT INTO book_tag_counts (folded, books) VALUES ('gamma', 4)`);
  await opened.source.query('ALTER TABLE book_search DISABLE TRIGGER USER');
  await opened.source.query('DELETE FROM book_search WHERE book_id = $1', [unlisted]);
  await opened.source.query('ALTER TABLE book_search ENABLE TRIGGER USER');
  const drift = [
    { tag: 'delta', what: 'books to check', stored: 0, counted: 1 },
    { tag: 'gamma', what: 'books', stored: 5, counted: 1 },
  ];
  expect(await checkTagCounts(database, { repair: false })).toEqual(drift);
  expect(await checkTagCounts(database, { repair: true })).toEqual(drift);
  expect(await checkTagCounts(database, { repair: true })).toEqual([]);
});
