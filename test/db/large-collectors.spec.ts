import { checkLargeCollectors } from '../../src/books/large-collectors';
import { CollectionsRepository, type NewCollection } from '../../src/books/collections.repository';
import { type CollectionsInput } from '../../src/books/books.input';
import { TagsRepository } from '../../src/books/tags.repository';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';

let opened: TestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
});
afterEach(() => opened.close());

const below = (limit: number): number => randomInteger() % limit;
const STATUSES = ['wish', 'reading', 'read'] as const;
const TAGS = ['a', 'b', 'B', 'ä', '书', 'z'];
const any = <T>(all: readonly T[]): T => all[below(all.length)] as T;
const ANY_KIND = (): void => undefined;

const anyTags = (): string[] => TAGS.filter(() => below(3) === 0);
const anyCollection = (): NewCollection => ({
  status: any(STATUSES),
  rating: below(3) === 0 ? null : 1 + below(5),
  ...{ comment: '', tags: anyTags(), private: below(4) === 0, moderationFlag: undefined },
});

/** Spreads the times of a user's collections over 500 days, and the last month before year 1. */
const spread = (user: number): Promise<unknown> =>
  opened.source.query(
    `UPDATE collections SET updated_at = CASE WHEN id % 50 = 0
       THEN '0001-12-15 00:00:00+00 BC'::timestamptz
       ELSE '2024-01-01 00:00:00+00'::timestamptz + (id % 500) * interval '1 day' END
     WHERE user_id = $1`,
    [user],
  );

/** Writes until the user has had more than 1,000 collections, by several writers at once. */
async function writeMany(user: number, books: readonly number[]): Promise<void> {
  const repository = new CollectionsRepository(opened.database);
  await Promise.all(
    books.map(async (book) => {
      await repository.insertCollection(user, book, anyCollection(), ANY_KIND);
      if (below(2) === 0) await repository.updateCollection(user, book, anyCollection(), ANY_KIND);
      if (below(6) === 0) await repository.deleteCollection(user, book, ANY_KIND);
    }),
  );
}

const largeCollectors = async (): Promise<number[]> => {
  const rows: { user_id: string }[] = await opened.source.query(
    'SELECT user_id FROM large_collectors ORDER BY user_id',
  );
  return rows.map(({ user_id }) => Number(user_id));
};

const TIMES = [
  undefined,
  new Date('2024-02-01T00:00:00Z'),
  new Date('2024-02-11T12:00:00Z'),
  new Date('2024-02-20T00:00:00Z'),
  new Date('2024-03-31T23:59:59Z'),
  new Date('2025-01-01T00:00:00Z'),
];

const anyFilter = (): CollectionsInput => ({
  ...(below(2) === 0 && { tag: any([...TAGS, 'unused']) }),
  ...(below(2) === 0 && { from: any(TIMES) }),
  ...(below(2) === 0 && { to: any(TIMES) }),
  ...(below(3) === 0 && { status: any(STATUSES) }),
  ...(below(3) === 0 && { rating: 1 + below(5) }),
});

/** Ids of the list, found without anything that is kept. */
async function idsOf(
  user: number,
  viewer: number | undefined,
  { status, rating, tag, from, to }: CollectionsInput,
): Promise<number[]> {
  const rows: { id: string }[] = await opened.source.query(
    `SELECT id FROM collections
     WHERE user_id = $1 AND (NOT (private OR hidden) OR user_id = $2)
       AND ($3::text IS NULL OR status = $3) AND ($4::int IS NULL OR rating = $4)
       AND ($5::text IS NULL OR $5 = ANY(tags))
       AND ($6::timestamptz IS NULL OR updated_at >= $6)
       AND ($7::timestamptz IS NULL OR updated_at <= $7)
     ORDER BY updated_at DESC, id DESC`,
    [user, viewer ?? null, status, rating, tag, from, to],
  );
  return rows.map(({ id }) => Number(id));
}

async function tagsOf(user: number, viewer: number | undefined): Promise<[string, number][]> {
  const rows: { tag: string; n: number }[] = await opened.source.query(
    `SELECT tag COLLATE "C" AS tag, count(*)::int AS n FROM collections, unnest(tags) AS tag
     WHERE user_id = $1 AND (NOT (private OR hidden) OR user_id = $2)
     GROUP BY 1 ORDER BY 2 DESC, 1`,
    [user, viewer ?? null],
  );
  return rows.map(({ tag, n }) => [tag, n]);
}

async function expectExactLists(user: number, other: number): Promise<void> {
  const repository = new CollectionsRepository(opened.database);
  const tags = new TagsRepository(opened.database);
  for (const viewer of [user, other, undefined]) {
    for (let turn = 0; turn < 40; turn += 1) {
      const filter = anyFilter();
      const all = await idsOf(user, viewer, filter);
      const page = { start: any([0, 0, 7, 5000]), count: any([0, 20, 100]) };
      const found = await repository.listUserCollections(user, viewer, filter, page);
      const ids = found.items.map(({ id }) => Number(id));
      const wanted = all.slice(page.start, page.start + page.count);
      expect([filter, found.total, ids]).toEqual([filter, all.length, wanted]);
    }
    const all = await tagsOf(user, viewer);
    const found = await tags.listUserTags(user, viewer, { start: 1, count: 4 });
    expect(found.total).toBe(all.length);
    expect(found.items.map(({ name, count }) => [name, count])).toEqual(all.slice(1, 5));
  }
}

it('lists of a user who becomes a large collector under concurrent writes are exact', async () => {
  const { database, source } = opened;
  const make = new Factories(database);
  const [{ id: user }, { id: other }] = [await make.aUser(), await make.aUser()];
  const books = await make.books(1100);
  await make.collections(user, books.slice(0, 990), () => ({ tags: anyTags() }));
  await make.collections(other, books.slice(0, 20), () => ({ tags: anyTags() }));
  await spread(other);
  expect(await largeCollectors()).toEqual([]);
  await expectExactLists(other, user);
  await writeMany(user, books.slice(990));
  // At the latest, the next insertion without a concurrent one.
  const repository = new CollectionsRepository(database);
  for (const book of await make.books(100)) {
    await repository.insertCollection(user, book, anyCollection(), ANY_KIND);
  }
  expect(await largeCollectors()).toEqual([user]);
  await writeMany(user, await make.books(50));
  await spread(user);
  await source.query('UPDATE collections SET hidden = true WHERE id % 5 = 0');
  expect(await checkLargeCollectors(database, { repair: false })).toEqual([]);
  await expectExactLists(user, other);
  await expectExactLists(other, user);
});

it('an import makes a large collector at once, and recount repairs what is kept', async () => {
  const { database, source } = opened;
  const make = new Factories(database);
  const { id: user } = await make.aUser();
  await make.collections(user, await make.books(1001), () => ({ tags: ['a', ...anyTags()] }));
  expect(await largeCollectors()).toEqual([user]);
  expect(await checkLargeCollectors(database, { repair: false })).toEqual([]);
  await source.query('UPDATE large_collector_counts SET collections = collections + 1');
  await source.query(`DELETE FROM large_collector_tags WHERE tag = 'a'`);
  const CHANGES = `SELECT count(*)::int AS n FROM content_changes WHERE keys = '{collection}'`;
  const [before] = await source.query<{ n: number }[]>(CHANGES);
  const drift = await checkLargeCollectors(database, { repair: true });
  const [after] = await source.query<{ n: number }[]>(CHANGES);
  // Responses in memory are removed.
  expect(after?.n).toBe((before?.n ?? 0) + 1);
  expect(drift.map(({ user_id, what }) => [user_id, what])).toEqual([
    [user, 'collections by tag or month'],
    [user, 'tags of collections'],
  ]);
  expect(await checkLargeCollectors(database, { repair: false })).toEqual([]);
  await expectExactLists(user, user + 1);
});

it('nothing is kept of a deleted user, and nothing wrong after collections are deleted', async () => {
  const { database, source } = opened;
  const make = new Factories(database);
  const [{ id: user }, { id: other }] = [await make.aUser(), await make.aUser()];
  const books = await make.books(1001);
  for (const id of [user, other]) {
    await make.collections(id, books, () => ({ tags: ['a', ...anyTags()] }));
  }
  await source.query('DELETE FROM users WHERE id = $1', [other]);
  await source.query('DELETE FROM books WHERE id % 3 = 0');
  expect(await largeCollectors()).toEqual([user]);
  expect(await checkLargeCollectors(database, { repair: false })).toEqual([]);
  await source.query('DELETE FROM collections');
  const rows = (table: string): Promise<unknown[]> => source.query(`SELECT FROM ${table}`);
  expect(await rows('large_collector_tags')).toEqual([]);
  expect(await rows('large_collector_counts')).toEqual([]);
});
