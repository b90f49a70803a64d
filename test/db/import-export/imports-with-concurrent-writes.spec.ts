import { CollectionsRepository } from '../../../src/books/collections.repository';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';

const BOOKS = 20;
const ROUNDS = 40;

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

const wanted = (tag: string) => ({
  ...{ status: 'read', rating: 4, comment: '', tags: [tag], private: false },
  moderationFlag: undefined,
});

it('an import of collections and their users do not deadlock', async () => {
  const { database, source } = opened;
  const make = new Factories(database);
  const { id: user } = await make.aUser();
  const books = await make.books(BOOKS);
  await make.collections(user, books);
  const repository = new CollectionsRepository(database);
  let importing = true;
  const write = async (book: number): Promise<void> => {
    for (let turn = 0; importing; turn += 1) {
      await repository.updateCollection(user, book, wanted(`t${turn % 7}`), () => undefined);
    }
  };
  const writers = books.map(write);
  for (let round = 0; round < ROUNDS; round += 1) {
    await make.collections(user, books, () => ({ tags: [`i${round % 7}`] }));
  }
  importing = false;
  await Promise.all(writers);
  const [row] = await source.query<{ deadlocks: string }[]>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(Number(row?.deadlocks)).toBe(0);
});
