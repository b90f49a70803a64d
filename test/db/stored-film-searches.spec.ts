import { SUBJECT_SEARCHES } from '../../src/movies/search.repository';
import { searchQuery } from '../../src/text/terms';
import { openTestDatabase, type TestDatabase } from '../harness';

interface Row {
  readonly id: string;
  readonly total: number;
  readonly hit: boolean;
}

let opened: TestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
});
afterEach(() => opened.close());

const query = searchQuery('中国');
const WORDS = [query?.phrase, query?.tsquery, query?.patterns];
const VALUES = { q: WORDS, tag: ['剧情'], both: [...WORDS, '剧情'] } as const;

/** Films, of which every second one has the tag. */
const insert = (from: number, to: number) =>
  opened.source.query(
    `WITH s AS (
       INSERT INTO subjects (id, title) SELECT i, '中国 ' || i FROM generate_series($1::int, $2) i),
     t AS (
       INSERT INTO subject_tags (subject_id, name, folded, position)
       SELECT i, '剧情', '剧情', 0 FROM generate_series($1::int, $2) i WHERE i % 2 = 0)
     INSERT INTO subject_search (subject_id, title, body, terms, popularity)
     SELECT i, '中国 ' || i, E'\\n中国 ' || i || E'\\n', '''中国'' ''国'''::tsvector, i % 7
     FROM generate_series($1::int, $2) i`,
    [from, to],
  );
const idsOf = (rows: readonly Row[]) => rows.filter(({ hit }) => hit).map(({ id }) => id);

it.each([
  ['words', 'q', 1315],
  ['a tag', 'tag', 659],
  ['words and a tag', 'both', 659],
] as const)(
  'the stored search of films by %s has the page and the total of its definition',
  async (_, by, total) => {
    const { database } = opened;
    const { evaluate, read, storing } = SUBJECT_SEARCHES.full[by];
    const values = VALUES[by];
    await insert(1, 1300);
    await database.query(storing.store, [...values]);
    await insert(1301, 1320);
    await opened.source.query('DELETE FROM subjects WHERE id BETWEEN 5 AND 9');
    await opened.source.query(`DELETE FROM subject_tags WHERE subject_id = 20`);
    await opened.source.query(
      `INSERT INTO subject_tags (subject_id, name, folded, position) VALUES (21, '剧情', '剧情', 0), (23, '剧情', '剧情', 0)`,
    );
    for (const start of [0, 40]) {
      const all = [20, start, ...values];
      const stored = await database.query<Row>(read, all);
      const expected = await database.query<Row>(evaluate, all);
      expect(stored[0]).toMatchObject({ usable: true, total });
      expect(idsOf(stored)).toEqual(idsOf(expected));
    }
    expect(await database.query(storing.refresh, [...values])).toHaveLength(1);
  },
);
