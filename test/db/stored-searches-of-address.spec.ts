import { onBehalfOf } from '../../src/api/http/current-request';
import { type RequestContext } from '../../src/api/http/request-context';
import { SearchRepository } from '../../src/books/search.repository';
import { StoredSearches } from '../../src/text/stored-searches';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { wantedOf } from './searched-books';

/** Searches of an address, more than wait to be stored. */
const SEARCHES = 60;
const WORDS = Array.from({ length: SEARCHES + 1 }, (_, at) => `word${at}`);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await new Factories(opened.database).books(500, () => ({ title: WORDS.join(' ') }));
});
afterAll(() => opened.close());

it('searches of one address leave room for those of others among the searches to be stored', async () => {
  const stored = new StoredSearches(opened.database);
  const books = new SearchRepository(opened.database, stored);
  const search = (addressKey: string, word = ''): Promise<unknown> =>
    onBehalfOf({ addressKey, method: 'POST', presence: { hasBegun: true } } as RequestContext, () =>
      books.search(wantedOf(word), { start: 0, count: 1 }, undefined),
    );
  const [others, ...words] = WORDS;
  await opened.source.transaction(async (manager) => {
    // No search can be stored.
    await manager.query('LOCK TABLE search_results IN SHARE MODE');
    for (const word of words) await search('10.0.0.1', word);
    await search('10.0.0.2', others);
  });
  await stored.settled();
  const rows = await opened.source.query<{ phrase: string }[]>('SELECT phrase FROM search_results');
  const phrases = rows.map(({ phrase }) => phrase);
  expect(phrases).toContain(others);
  expect(phrases).toHaveLength(11);
});
