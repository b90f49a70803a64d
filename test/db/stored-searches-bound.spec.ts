import { BOOK_SEARCHES } from '../../src/books/search.repository';
import { PRUNED_BATCH, StoredSearchesTask } from '../../src/text/stored-search-pruning';
import { MAX_REFRESHED_CHANGES, MAX_STORED_SEARCHES } from '../../src/text/stored-search-sql';
import { searchQuery } from '../../src/text/terms';
import { Factories } from '../factories/factories';
import { until } from '../e2e/process/programs';
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

describe.each([
  ['with words', 'third', 'book_search', '(transaction_id, book_id, existed)', 'n, true'],
  [
    'of a tag',
    '\nthird',
    'book_tags',
    '(transaction_id, folded, book_id, name, existed)',
    "'third', n, 'third', true",
  ],
])('a stored search %s', (_, phrase, table, columns, values) => {
  const others = ['fourth', '\nfourth'];

  /** Stores searches that lack the changes from a transaction on. */
  const storeBefore = (transaction: number, phrases: readonly string[]) =>
    opened.source.query(
      `INSERT INTO search_results (source, phrase, total, as_of, server_started_at, ids, ranks,
         popularities)
       SELECT 'book_search', phrase, 0, $1, pg_postmaster_start_time(), '{}', '{}', '{}'
       FROM unnest($2::text[]) phrase`,
      [`${transaction}:${transaction}:`, phrases],
    );

  const change = (transaction: number, count: number) =>
    opened.source.query(
      `INSERT INTO ${table}_changes ${columns} SELECT $1, ${values} FROM generate_series(1, $2::int) n`,
      [transaction, count],
    );

  /** The phrases that are stored after pruning. */
  async function kept(): Promise<string[]> {
    await new StoredSearchesTask(opened.database).run();
    const rows = await opened.source.query<{ phrase: string }[]>(
      'SELECT phrase FROM search_results',
    );
    return rows.map((row) => row.phrase).sort();
  }

  it('stays until more rows have changed than a refresh compares', async () => {
    await opened.source.query(`DELETE FROM search_results; DELETE FROM ${table}_changes`);
    await storeBefore(10, [phrase]);
    await storeBefore(20, others);
    await change(15, MAX_REFRESHED_CHANGES);
    expect(await kept()).toEqual([phrase, ...others].sort());
    await change(15, 1);
    expect(await kept()).toEqual([...others].sort());
  });
});

it('changes are deleted in batches, until none is left that no stored search needs', async () => {
  await opened.source.query('DELETE FROM search_results');
  await opened.source.query(
    'INSERT INTO book_search_changes (book_id, existed) SELECT n, true FROM generate_series(1, $1::int) n',
    [PRUNED_BATCH + 1],
  );
  // Changes that a running transaction may not see stay, also one of another database.
  await until(async () => {
    await new StoredSearchesTask(opened.database).run();
    const rows: unknown[] = await opened.source.query('SELECT FROM book_search_changes LIMIT 1');
    return rows.length === 0;
  });
});
