import { checkCollectionCounts } from '../../src/books/collection-counts';
import { CollectionsRepository } from '../../src/books/collections.repository';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

const below = (limit: number): number => randomInteger() % limit;
const STATUSES = ['wish', 'reading', 'read'] as const;

it('the numbers of collections are exact under concurrent writes, and recount repairs them', async () => {
  const { database, source } = opened;
  const make = new Factories(database);
  const repository = new CollectionsRepository(database);
  const { id: user } = await make.aUser();
  const books = await make.books(20);
  const check = (): void => undefined;
  const write = async (book: number): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) {
      const wanted = {
        status: STATUSES[below(3)] as string,
        rating: below(2) === 0 ? null : 1 + below(5),
        ...{ comment: '', tags: [], private: below(3) === 0, moderationFlag: undefined },
      };
      const made = await repository.insertCollection(user, book, wanted, check);
      if (!made) await repository.updateCollection(user, book, wanted, check);
      if (below(4) === 0) await repository.deleteCollection(user, book, check);
    }
  };
  await Promise.all(books.map(write));
  await make.collections(user, await make.books(5));
  await source.query('UPDATE collections SET hidden = true WHERE id % 3 = 0');
  expect(await checkCollectionCounts(database, { repair: false })).toEqual([]);

  for (const viewer of [user, undefined]) {
    for (const filter of [{}, { status: 'read' }, { rating: 3 }, { status: 'wish', rating: 5 }]) {
      const page = await repository.listUserCollections(user, viewer, filter, {
        start: 0,
        count: 100,
      });
      expect(page.total).toBe(page.items.length);
    }
  }

  await source.query(
    'UPDATE collection_counts SET collections = collections + 2 WHERE user_id = $1',
    [user],
  );
  await source.query('TRUNCATE content_changes');
  expect(await checkCollectionCounts(database, { repair: true })).toMatchObject([
    { user_id: user },
  ]);
  expect(await checkCollectionCounts(database, { repair: false })).toEqual([]);
  // Responses in memory have the former numbers.
  expect(await source.query('SELECT keys FROM content_changes')).toEqual([
    { keys: ['collection'] },
  ]);
  await source.query('DELETE FROM users WHERE id = $1', [user]);
  expect(await checkCollectionCounts(database, { repair: false })).toEqual([]);
});
