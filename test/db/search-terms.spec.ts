import { migrateDown, migrateUp } from '../../src/database/migrate';
import { Factories } from '../factories/factories';
import { MovieFactories } from '../factories/movies';
import { openTestDatabase, type TestDatabase } from '../harness';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

const termsOf = async (): Promise<Map<string, string[]>> => {
  const rows = await opened.source.query<{ key: string; terms: string[] }[]>(
    `SELECT 'book ' || book_id AS key, tsvector_to_array(terms) AS terms FROM book_search
     UNION ALL
     SELECT 'subject ' || subject_id, tsvector_to_array(terms) FROM subject_search`,
  );
  return new Map(rows.map(({ key, terms }) => [key, terms.sort()]));
};

it('a migration computes the same search terms as an import', async () => {
  const make = new Factories(opened.database);
  const titles = [
    'The Lord of the Rings: Part 1',
    '三体 II',
    "O'Neill\\s%_ 'x'",
    '\u{20bb7}ab\u{1f4da}c 城',
    'Ünïcode Ελλάδα Россия한국어カタカナ',
    '9787111128069',
  ];
  const isbns = { isbn10: '711112806X', isbn13: '9787111128069' };
  for (const [at, title] of titles.entries())
    await make.aBook({ title, author: [title, '錢鍾書'], ...(at === 0 && isbns) });
  const films = new MovieFactories(opened.database);
  await films.subjects(1, () => ({ title: 'Film 城 1', imdb: 'tt0111161' }));
  const imported = await termsOf();
  expect(imported.size).toBe(titles.length + 1);

  for (let name = ''; name !== 'SearchTrigrams1764748000000';)
    name = (await migrateDown(opened.source, () => undefined))?.name ?? '';
  const pairs = [...(await termsOf()).values()].flat().filter((term) => !term.startsWith('\u0002'));
  expect(pairs).toContain('ri');
  expect(pairs.filter((term) => Array.from(term).length > 2)).toEqual([]);

  await migrateUp(opened.source);
  expect(await termsOf()).toEqual(imported);
});
