import { Client } from 'pg';
import { BY_WORDS, SearchRepository, STORED } from '../../src/books/search.repository';
import { type Database } from '../../src/database/database';
import { BookHandler } from '../../src/import-export/books/book.handler';
import { SUBJECT_SEARCH } from '../../src/movies/search.repository';
import { type Wanted } from '../../src/text/search';
import { LOCK_STORED_SHARED, StoredSearchesTask } from '../../src/text/stored-search-pruning';
import { storingStatements } from '../../src/text/stored-search-sql';
import { StoredSearches } from '../../src/text/stored-searches';
import { searchQuery } from '../../src/text/terms';
import { Factories } from '../factories/factories';
import { until } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';

let opened: TestDatabase;
let database: Database;
let make: Factories;
let ids: number[];
let reader: Client;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  make = new Factories(database);
  reader = new Client({ connectionString: opened.url });
  await reader.connect();
  ids = [];
  for (let at = 0; at < BOOKS; at += 400) {
    ids.push(...(await make.books(400, () => ({ title: title(), author: [pick(WORDS)] }))));
  }
});
afterAll(async () => {
  await reader.end();
  await opened.close();
});

/** More than a stored search has hits. */
const BOOKS = 2000;
const WORDS = ['历史', '中国', '中国历史', '文化', '出版', 'history', '一本书'];
const PHRASES = ['中国', '历史', '中', '中国历史', '中国 文化', 'hist'];

const handler = new BookHandler();
const STORING = storingStatements('book_search', 'book_id');

const below = (limit: number): number => randomInteger() % limit;
const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
const title = (): string => `${pick(WORDS)}${below(3) === 0 ? ' ' : ''}${pick(WORDS)}${below(50)}`;

function wantedOf(phrase: string): Wanted {
  const query = searchQuery(phrase);
  return { by: 'q', values: [query?.phrase, query?.tsquery, query?.patterns] };
}

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
  for (const phrase of PHRASES) {
    const values = [below(100), below(700), null, ...wantedOf(phrase).values];
    const stored = (await reader.query<Row>({ text: STORED.text, values })).rows;
    if (stored[0]?.usable !== true) continue;
    usable += 1;
    const expected = (await reader.query<Row>({ text: BY_WORDS.text, values })).rows;
    expect({ phrase, total: stored[0].total, ids: idsOf(stored) }).toEqual({
      ...{ phrase, total: expected[0]?.total, ids: idsOf(expected) },
    });
  }
  await reader.query('COMMIT');
  return usable;
}

const store = (phrase: string): Promise<void> =>
  database.transaction(async (executor) => {
    const { values } = wantedOf(phrase);
    await executor.query(LOCK_STORED_SHARED);
    const refreshed = below(5) > 0 ? await executor.query(STORING.refresh, values) : [];
    if (refreshed.length === 0) await executor.query(STORING.store, values);
  });

const importBooks = (some: readonly number[]): Promise<void> =>
  database.transaction((executor) =>
    handler.write(
      executor,
      some.map((id) => handler.parse({ id, title: title(), rating: { numRaters: below(9) } })),
    ),
  );

const popularity = (value: string, id: number) => ({
  name: `test.popularity_${value.length}`,
  text: `UPDATE book_search SET popularity = ${value} WHERE book_id = ${id}`,
});

const WRITES: readonly ((id: number) => Promise<unknown>)[] = [
  (id) => database.source.query(popularity('popularity + 1', id).text),
  (id) => database.source.query(popularity(String(below(20)), id).text),
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
];

const importBooksIn = (
  executor: Parameters<Parameters<Database['transaction']>[0]>[0],
  id: number,
): Promise<void> => handler.write(executor, [handler.parse({ id, title: title() })]);

it('a stored search has the page and the total of its definition in every snapshot, beside concurrent writes', async () => {
  const prune = new StoredSearchesTask(database);
  let usable = 0;
  for (let round = 0; round < 5; round += 1) {
    for (const phrase of PHRASES) await store(phrase);
    expect(await compareAll()).toBe(PHRASES.length);
    let writing = true;
    const writers = Array.from({ length: 3 }, async () => {
      for (let step = 0; step < 40; step += 1) await pick(WRITES)(pick(ids));
    });
    const storing = async (): Promise<void> => {
      while (writing) {
        await store(pick(PHRASES));
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
  expect(usable).toBeGreaterThan(PHRASES.length * 5);
});

it('a stored search is not used after more changes than it compares, nor on another server', async () => {
  await store('中国');
  const values = [20, 0, null, ...wantedOf('中国').values];
  const usable = async (): Promise<boolean | undefined> =>
    (await reader.query<Row>({ text: STORED.text, values })).rows[0]?.usable;
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

describe('the search of books', () => {
  const page = { start: 0, count: 20 };

  it('stores a search with many hits, and reads the stored one afterwards, with every change', async () => {
    await opened.source.query('DELETE FROM search_results');
    const names: string[] = [];
    database.onStatement = (name) => names.push(name);
    const stored = new StoredSearches(database);
    const books = new SearchRepository(database, stored);
    const search = async () => {
      names.length = 0;
      const { total, items } = await books.search(wantedOf('历史'), page, undefined);
      const used = names.includes(STORED.name) && !names.includes(BY_WORDS.name);
      await stored.settled();
      return { total, first: (items[0] as { title?: string } | undefined)?.title, used };
    };
    const before = await search();
    expect(before.used).toBe(false);
    expect(await search()).toEqual({ ...before, used: true });
    await make.aBook({ title: '历史', rating: { numRaters: 1000 } });
    expect(await search()).toEqual({ total: before.total + 1, first: '历史', used: true });
    await opened.source.query('UPDATE book_search SET popularity = popularity + 1');
    expect((await search()).used).toBe(false);
    expect(await search()).toEqual({ total: before.total + 1, first: '历史', used: true });
    database.onStatement = undefined;
    await stored.onModuleDestroy();
  });

  it('does not store a search with few hits', async () => {
    await opened.source.query('DELETE FROM search_results');
    await make.aBook({ title: '独一无二' });
    const stored = new StoredSearches(database);
    const books = new SearchRepository(database, stored);
    expect((await books.search(wantedOf('独一无二'), page, undefined)).total).toBe(1);
    await stored.settled();
    expect(await opened.source.query('SELECT phrase FROM search_results')).toEqual([]);
  });
});

it('the stored search of films has the page and the total of its definition', async () => {
  const { refresh, store: evaluate } = storingStatements('subject_search', 'subject_id');
  const insert = (from: number, to: number) =>
    opened.source.query(
      `WITH s AS (INSERT INTO subjects (id, title) SELECT i, '中国 ' || i FROM generate_series($1::int, $2) i)
       INSERT INTO subject_search (subject_id, title, body, terms, popularity)
       SELECT i, '中国 ' || i, E'\\n中国 ' || i || E'\\n', '''中国'' ''国'''::tsvector, i % 7
       FROM generate_series($1::int, $2) i`,
      [from, to],
    );
  await insert(1, 1300);
  const { values } = wantedOf('中国');
  await database.query(evaluate, values);
  await insert(1301, 1320);
  await opened.source.query('DELETE FROM subjects WHERE id BETWEEN 5 AND 9');
  for (const start of [0, 40]) {
    const all = [20, start, ...values];
    const [stored, expected] = await Promise.all(
      [SUBJECT_SEARCH.full.stored, SUBJECT_SEARCH.full.q].map((what) =>
        database.query<Row>(what, all),
      ),
    );
    expect(stored?.[0]).toMatchObject({ usable: true, total: 1315 });
    expect(idsOf(stored ?? [])).toEqual(idsOf(expected ?? []));
  }
  expect(await database.query(refresh, values)).toHaveLength(1);
});
