import { Client } from 'pg';
import { BOOK_SEARCHES } from '../../src/books/search.repository';
import { type Database } from '../../src/database/database';
import { BookHandler } from '../../src/import-export/books/book.handler';
import { LOCK_STORED_SHARED, StoredSearchesTask } from '../../src/text/stored-search-pruning';
import { Factories } from '../factories/factories';
import { until } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';
import { below, makeBooks, pick, TAGS, tags, title, wantedOf } from './searched-books';

let opened: TestDatabase;
let database: Database;
let ids: number[];
let reader: Client;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  reader = new Client({ connectionString: opened.url });
  await reader.connect();
  ids = await makeBooks(new Factories(database));
});
afterAll(async () => {
  await reader.end();
  await opened.close();
});

const PHRASES = ['中国', '历史', '中', '中国历史', '中国 文化', 'hist'];
/** Phrases, each also with a tag. */
const SEARCHES = ['', 'history', '随笔'].flatMap((tag) =>
  PHRASES.slice(tag === '' ? 0 : 3).map((phrase) => [phrase, tag] as const),
);

const handler = new BookHandler();

interface Row {
  readonly id: string;
  readonly total: number;
  readonly hit: boolean;
  readonly usable?: boolean;
}

const idsOf = (rows: readonly Row[]) => rows.filter(({ hit }) => hit).map(({ id }) => Number(id));
/**
 * Reads pages of each stored search and of its definition in the same snapshot.
 * @returns number of usable ones
 */
async function compareAll(): Promise<number> {
  let usable = 0;
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for (const [phrase, tag] of SEARCHES) {
    const wanted = wantedOf(phrase, tag);
    const { read, evaluate } = BOOK_SEARCHES[wanted.by];
    const values = [below(100), below(700), null, ...wanted.values];
    const stored = (await reader.query<Row>({ text: read.text, values })).rows;
    if (stored[0]?.usable !== true) continue;
    usable += 1;
    const expected = (await reader.query<Row>({ text: evaluate.text, values })).rows;
    expect({ phrase, tag, total: stored[0].total, ids: idsOf(stored) }).toEqual({
      ...{ phrase, tag, total: expected[0]?.total, ids: idsOf(expected) },
    });
  }
  await reader.query('COMMIT');
  return usable;
}

const store = (phrase: string, tag = ''): Promise<void> =>
  database.transaction(async (executor) => {
    const { by, values } = wantedOf(phrase, tag);
    const { storing } = BOOK_SEARCHES[by];
    await executor.query(LOCK_STORED_SHARED);
    const refreshed = below(5) > 0 ? await executor.query(storing.refresh, values) : [];
    if (refreshed.length === 0) await executor.query(storing.store, values);
  });

const importBooks = (some: readonly number[]): Promise<void> =>
  database.transaction((executor) =>
    handler.write(
      executor,
      some.map((id) =>
        handler.parse({ id, title: title(), tags: tags(), rating: { numRaters: below(9) } }),
      ),
    ),
  );

const setPopularity = (value: string, id: number) =>
  database.source.query(`UPDATE book_search SET popularity = ${value} WHERE book_id = ${id}`);

const WRITES: readonly ((id: number) => Promise<unknown>)[] = [
  (id) => setPopularity('popularity + 1', id),
  (id) => setPopularity(String(below(20)), id),
  (id) => importBooks([id, id + 1]),
  (id) => importBooks([9_000_000 + id]),
  (id) => database.transaction((executor) => handler.editing.deletion.delete(executor, id)),
  // Several changes of a row in one transaction.
  (id) =>
    database.transaction(async (executor) => {
      await handler.editing.deletion.delete(executor, id);
      await importBooksIn(executor, id);
      await importBooksIn(executor, id);
    }),
  (id) => database.source.query('DELETE FROM books WHERE id = $1', [id]),
  (id) =>
    database.source.query('DELETE FROM book_tags WHERE book_id = $1 AND name = $2', [
      id,
      pick(TAGS),
    ]),
  // A transaction that adds a tag has locked the book.
  (id) =>
    database.transaction(async (executor) => {
      await executor.query(LOCK_BOOK, [id]);
      await executor.query(ADD_TAG, [id, pick(TAGS)]);
      if (below(2) === 0) await executor.query(REMOVE_TAGS, [id]);
    }),
  (id) => database.source.query(FOLD_OTHERWISE, [id]),
];

/** A searched name becomes one that is not searched, or the other way round. */
const FOLD_OTHERWISE = `
  UPDATE book_tags SET folded = CASE folded WHEN 'history' THEN '其他' ELSE 'history' END
  WHERE book_id = $1 AND name = 'History'`;
const LOCK_BOOK = { name: 'test.lock_book', text: 'SELECT FROM books WHERE id = $1 FOR UPDATE' };
const ADD_TAG = {
  name: 'test.add_tag',
  text: `INSERT INTO book_tags (book_id, name, folded)
    SELECT id, $2::text, lower($2::text) FROM books WHERE id = $1 ON CONFLICT DO NOTHING`,
};
const REMOVE_TAGS = { name: 'test.remove_tags', text: 'DELETE FROM book_tags WHERE book_id = $1' };

const importBooksIn = (
  executor: Parameters<Parameters<Database['transaction']>[0]>[0],
  id: number,
): Promise<void> => handler.write(executor, [handler.parse({ id, title: title() })]);

it('a stored search has the page and the total of its definition in every snapshot, beside concurrent writes', async () => {
  const prune = new StoredSearchesTask(database);
  let usable = 0;
  for (let round = 0; round < 5; round += 1) {
    for (const search of SEARCHES) await store(...search);
    expect(await compareAll()).toBe(SEARCHES.length);
    let writing = true;
    const writers = Array.from({ length: 3 }, async () => {
      for (let step = 0; step < 40; step += 1) await pick(WRITES)(pick(ids));
    });
    const storing = async (): Promise<void> => {
      while (writing) {
        await store(...pick(SEARCHES));
        if (below(4) === 0) await prune.run();
      }
    };
    const written = Promise.all(writers).finally(() => {
      writing = false;
    });
    const stored = storing();
    do usable += await compareAll();
    while (writing);
    await Promise.all([written, stored]);
    usable += await compareAll();
  }
  expect(usable).toBeGreaterThan(SEARCHES.length * 5);
});

it('a stored search is not used after more changes than it compares, nor on another server', async () => {
  await store('中国');
  const values = [20, 0, null, ...wantedOf('中国').values];
  const usable = async (): Promise<boolean | undefined> =>
    (await reader.query<Row>({ text: BOOK_SEARCHES.q.read.text, values })).rows[0]?.usable;
  expect(await usable()).toBe(true);
  await opened.source.query('UPDATE book_search SET popularity = popularity + 1');
  expect(await usable()).toBe(false);
  await store('中国');
  expect(await usable()).toBe(true);
  await opened.source.query(
    `UPDATE search_results SET server_started_at = server_started_at - interval '1 hour'`,
  );
  expect(await usable()).toBe(false);
});

it('pruning keeps the changes that a stored search needs, and deletes the others', async () => {
  const prune = new StoredSearchesTask(database);
  await opened.source.query('DELETE FROM search_results');
  await opened.source.query('UPDATE book_search SET popularity = popularity + 1');
  const changes = 'SELECT count(*)::int AS n FROM book_search_changes';
  // Changes that a running transaction may not see stay, also one of another database.
  await until(async () => {
    await prune.run();
    return (await opened.source.query<{ n: number }[]>(changes))[0]?.n === 0;
  });
  await store('中国');
  await opened.source.query(
    `UPDATE book_search SET popularity = popularity + 1
     WHERE book_id IN (SELECT book_id FROM book_search LIMIT 10)`,
  );
  await until(async () => {
    await prune.run();
    return (await opened.source.query<{ n: number }[]>(changes))[0]?.n === 10;
  });
  expect(await compareAll()).toBe(1);
});
