import { migrateUp } from '../../src/database/migrate';
import { openTestDatabase, type TestDatabase } from '../harness';
import { readCatalogue, type Catalogue } from '../db/releases/catalogue';
import { applyRelease, EDITED, MAIN_RELEASES, OLDEST, RELEASES } from '../db/releases/releases';
import { atScale } from '../figures';

let opened: TestDatabase;
let fresh: Catalogue;

const empty = () => opened.source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

beforeAll(async () => {
  opened = await openTestDatabase();
  await empty();
  await migrateUp(opened.source);
  fresh = await readCatalogue(opened.source);
});
beforeEach(empty);
afterAll(() => opened.close());

/** Rows by the table that they are for: a release without the table has none of them. */
const ROWS: Readonly<Record<string, string>> = {
  users: `INSERT INTO users (id, uid, name) VALUES (1, 'Ann', 'Ann'), (2, 'bob', 'Bob')`,
  books: `INSERT INTO books (id, title) VALUES (1, 'one'), (2, 'two')`,
  book_search: `INSERT INTO book_search (book_id, title, body, terms)
    VALUES (1, 'one', 'one', ''), (2, 'two', 'two', '')`,
  collections: `INSERT INTO collections (user_id, book_id, status) VALUES (1, 1, 'read')`,
  friendships: `INSERT INTO friendships (user_id, friend_id) VALUES (1, 2)`,
  notes: `INSERT INTO notes (id, user_id, privacy) VALUES (1, 1, 'public')`,
  cities: `INSERT INTO cities (id, uid, name) VALUES (1, 'x', 'X')`,
  events: `INSERT INTO events (id, title, begins_at, ends_at, city_id, owner_id)
    VALUES (1, 'e', '2014-01-01', '2014-01-02', 1, 1)`,
  subjects: `INSERT INTO subjects (id, subtype, title) VALUES (1, 'movie', 'm')`,
  movie_reviews: `INSERT INTO movie_reviews (id, subject_id, user_id, title, created_at)
    VALUES (1, 1, 1, 'r', '2014-01-01')`,
};

/** Tags of equal count in the order z, y, x; the last of them only by its use. */
const TAGS = [
  ['z', 3, 0],
  ['y', 3, 0],
  ['x', 0, 3],
] as const;

const has = async (relation: string): Promise<boolean> => {
  const [row] = await opened.source.query<{ has: boolean }[]>(
    `SELECT to_regclass($1) IS NOT NULL AS has`,
    [relation],
  );
  return row?.has ?? false;
};

/** The first schema had no column for the place of a tag. */
async function tagsHavePlaces(): Promise<boolean> {
  const rows = await opened.source.query<unknown[]>(
    `SELECT FROM pg_attribute WHERE attrelid = 'book_tags'::regclass AND attname = 'position'`,
  );
  return rows.length > 0;
}

/** Fills the tables that there are, and returns their names. */
async function fill(): Promise<string[]> {
  const filled: string[] = [];
  for (const [table, sql] of Object.entries(ROWS)) {
    if (!(await has(table))) continue;
    await opened.source.query(sql);
    filled.push(table);
  }
  const placed = await tagsHavePlaces();
  for (const [at, [name, imported, used]] of TAGS.entries()) {
    const [column, value] = placed ? [', position', `, ${imported > 0 ? at : 32767}`] : ['', ''];
    await opened.source.query(
      `INSERT INTO book_tags (book_id, name, folded, base_count, used_count${column})
       VALUES (1, '${name}', '${name}', ${imported}, ${used}${value})`,
    );
  }
  return filled;
}

const count = async (table: string): Promise<number> => {
  const [row] = await opened.source.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return row?.n ?? 0;
};

it.each([...atScale(RELEASES, EDITED), OLDEST].map((release) => [release.name, release] as const))(
  'a database of %s gets the schema of a new one, and keeps its data',
  async (_name, release) => {
    await applyRelease(opened.source, release);
    const filled = await fill();
    const before = await Promise.all(filled.map(count));
    await migrateUp(opened.source);
    expect(await readCatalogue(opened.source)).toEqual(fresh);
    expect(await Promise.all(filled.map(count))).toEqual(before);
    const tags = await opened.source.query<{ name: string; position: number }[]>(
      'SELECT name, position FROM book_tags ORDER BY count DESC, position, name',
    );
    expect(tags).toEqual([
      { name: 'z', position: 0 },
      { name: 'y', position: 1 },
      { name: 'x', position: 32767 },
    ]);
    // Rows that belong to a book without a foreign key are deleted with it.
    await opened.source.query('DELETE FROM books WHERE id = 1');
    expect(await count('book_tags')).toBe(0);
    expect(await count('book_search')).toBe(1);
  },
);

it('a database that was upgraded at every release gets the schema of a new one', async () => {
  for (const release of MAIN_RELEASES) await applyRelease(opened.source, release);
  await fill();
  await migrateUp(opened.source);
  expect(await readCatalogue(opened.source)).toEqual(fresh);
});
