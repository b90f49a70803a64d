import { BOOK_SEARCHES, SearchRepository } from '../../src/books/search.repository';
import { type Database } from '../../src/database/database';
import { MAX_STORED_HITS } from '../../src/text/stored-search-sql';
import { StoredSearches } from '../../src/text/stored-searches';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { makeBooks, wantedOf } from './searched-books';

let opened: TestDatabase;
let database: Database;
let make: Factories;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  make = new Factories(database);
  await makeBooks(make);
});
afterAll(() => opened.close());

describe('the search of books', () => {
  const FIRST_PAGE = { start: 0, count: 20 };

  /** Searches that tell their total, their first title, and whether the stored search was used. */
  function searchesOf(
    wanted: ReturnType<typeof wantedOf>,
    { read, evaluate }: (typeof BOOK_SEARCHES)[keyof typeof BOOK_SEARCHES],
  ) {
    const names: string[] = [];
    database.onStatement = (name) => names.push(name);
    const stored = new StoredSearches(database);
    const books = new SearchRepository(database, stored);
    return {
      search: async (page = FIRST_PAGE) => {
        names.length = 0;
        const { total, items } = await books.search(wanted, page, undefined);
        const used = names.includes(read.name) && !names.includes(evaluate.name);
        const first = (items[0] as { title?: string } | undefined)?.title;
        await stored.settled();
        return { total, first, used };
      },
      stop: async () => {
        database.onStatement = undefined;
        await stored.onModuleDestroy();
      },
    };
  }

  it('stores a search with many hits, and reads the stored one afterwards, with every change', async () => {
    await opened.source.query('DELETE FROM search_results');
    const { search, stop } = searchesOf(wantedOf('历史'), BOOK_SEARCHES.q);
    const before = await search();
    expect(before.used).toBe(false);
    expect(await search()).toEqual({ ...before, used: true });
    await make.aBook({ title: '历史', rating: { numRaters: 1000 } });
    expect(await search()).toEqual({ total: before.total + 1, first: '历史', used: true });
    await opened.source.query('UPDATE book_search SET popularity = popularity + 1');
    expect((await search()).used).toBe(false);
    expect(await search()).toEqual({ total: before.total + 1, first: '历史', used: true });
    await stop();
  });

  it('stores a search by words and tag, and reads it with every change of the tag', async () => {
    await opened.source.query('DELETE FROM search_results');
    const { search, stop } = searchesOf(wantedOf('中', '随笔'), BOOK_SEARCHES.both);
    await opened.source.query(
      `INSERT INTO book_tags (book_id, name, folded) SELECT book_id, '随笔', '随笔' FROM book_search
       ON CONFLICT DO NOTHING`,
    );
    const before = await search();
    expect(before.used).toBe(false);
    expect(await search()).toEqual({ ...before, used: true });
    await make.aBook({ title: '中 tagged', tags: [{ name: '随笔', count: 1 }] });
    expect(await search()).toMatchObject({ total: before.total + 1, used: true });
    await opened.source.query(
      `DELETE FROM book_tags USING books b WHERE b.id = book_id AND b.title = '中 tagged'`,
    );
    expect(await search()).toEqual({ ...before, used: true });
    // A statement that changes many tags.
    await opened.source.query(`DELETE FROM book_tags WHERE name = '随笔'`);
    expect(await search()).toMatchObject({ total: 0, used: false });
    await stop();
  });

  it('reads the total from the stored search for a page beyond the last hit', async () => {
    await opened.source.query('DELETE FROM search_results');
    const { search, stop } = searchesOf(wantedOf('中'), BOOK_SEARCHES.q);
    const { total } = await search({ start: 900_000_000, count: 20 });
    expect(total).toBeGreaterThan(MAX_STORED_HITS);
    expect(await search({ start: 900_000_000, count: 20 })).toEqual({ total, used: true });
    expect(await search({ start: total, count: 20 })).toEqual({ total, used: true });
    expect(await search({ start: total - 1, count: 20 })).toMatchObject({ total, used: false });
    await stop();
  });

  it('does not store a search with few hits', async () => {
    await opened.source.query('DELETE FROM search_results');
    await make.aBook({ title: '独一无二' });
    const stored = new StoredSearches(database);
    const books = new SearchRepository(database, stored);
    expect((await books.search(wantedOf('独一无二'), FIRST_PAGE, undefined)).total).toBe(1);
    await stored.settled();
    expect(await opened.source.query('SELECT phrase FROM search_results')).toEqual([]);
  });
});
