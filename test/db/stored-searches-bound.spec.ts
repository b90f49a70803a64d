import { BOOK_SEARCHES } from '../../src/books/search.repository';
import { StoredSearchesTask } from '../../src/text/stored-search-pruning';
import { MAX_STORED_SEARCHES } from '../../src/text/stored-search-sql';
import { searchQuery } from '../../src/text/terms';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

/** Stores a search as the service does. @returns whether it is stored now */
async function store(phrase: string): Promise<boolean> {
  const query = searchQuery(phrase);
  const values = [query?.phrase, query?.tsquery, query?.patterns];
  await opened.database.query(BOOK_SEARCHES.q.storing.store, values);
  const rows: unknown[] = await opened.source.query(
    'SELECT FROM search_results WHERE phrase = $1 AND total = 1',
    [query?.phrase],
  );
  return rows.length === 1;
}

it('no searches are stored beyond the bound until they are pruned, but stored ones are stored again', async () => {
  await new Factories(opened.database).aBook({ title: 'first and second' });
  expect(await store('first')).toBe(true);
  const fill = `INSERT INTO search_results (source, phrase, total, as_of, server_started_at, ids,
      ranks, popularities, stored_at)
    SELECT 'book_search', 'filler ' || n, 0, pg_current_snapshot()::text,
      pg_postmaster_start_time(), '{}', '{}', '{}', now() - interval '1 hour'
    FROM generate_series(2, $1::int) n`;
  await opened.source.query(fill, [MAX_STORED_SEARCHES]);
  expect(await store('second')).toBe(false);
  await opened.source.query(`UPDATE search_results SET total = 2 WHERE phrase = 'first'`);
  expect(await store('first')).toBe(true);
  await new StoredSearchesTask(opened.database).run();
  expect(await store('second')).toBe(true);
});
