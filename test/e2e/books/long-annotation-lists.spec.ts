import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { type TestResponse } from '../../http';

let harness: Harness;
let book: number;
let uid: string;
beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  book = await make.aBook();
  const user = await make.aUser();
  ({ uid } = user);
  await harness.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT $1, $2, '', n, repeat('x', 50000) FROM generate_series(1, 30) n`,
    [user.id, book],
  );
});
afterAll(() => harness.close());

/** A response, and the statements that read its annotations. */
async function read(path: string): Promise<readonly [response: TestResponse, names: string[]]> {
  const names: string[] = [];
  harness.database.onStatement = (name) => names.push(name);
  const response = await harness.call(path);
  harness.database.onStatement = undefined;
  return [response, names.filter((name) => name.startsWith('annotations.'))];
}

const readList = async (path: string) => {
  const [{ body }, names] = await read(path);
  return [names, body.count];
};

it('lists of little text are read once, without a turn; others are read again in their turn', async () => {
  const list = 'annotations.of_book_rank';
  expect(await readList(`/v2/book/${book}/annotations?count=10`)).toEqual([[list], 10]);
  expect(await readList(`/v2/book/${book}/annotations?count=11`)).toEqual([[list, list], 11]);
  expect(await readList(`/v2/book/${book}/annotations?count=11&start=20`)).toEqual([[list], 10]);
  const ofUser = 'annotations.of_user';
  const path = `/v2/book/user/${uid}/annotations`;
  const [{ status }, names] = await read(`${path}?count=30&callback=c`);
  expect([status, names]).toEqual([200, [ofUser, ofUser]]);
  expect(await readList(`${path}?count=3`)).toEqual([[ofUser], 3]);
});

it('pages read the beginnings of the texts', async () => {
  const [, statements] = await read(`/book/${book}/annotations`);
  expect(statements).toEqual(['annotations.beginnings_of_book_rank']);
  const [, ofPerson] = await read(`/people/${uid}?view=annotations`);
  expect(ofPerson).toContain('annotations.beginnings_of_user');
});
