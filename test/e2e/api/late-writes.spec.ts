import { Factories } from '../../factories/factories';
import { type Harness } from '../../harness';
import { expectRefused } from '../books/writes';
import { ban } from '../moderation/words';
import { send } from '../notes/parts';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { beforeSearching, beforeStoring } from './while-waiting';

let harness: Harness;
let make: Factories;
let user: number;
let token: string;
beforeAll(async () => {
  harness = await startWithPictures({ TOKEN_CACHE_SECONDS: '0' });
  make = new Factories(harness.database);
  await ban(harness, 'refuse', 'grobnik');
});
beforeEach(async () => {
  user = (await make.aUser()).id;
  token = await harness.token({ userId: user });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => harness.close());

const block = () =>
  harness.source.query('UPDATE users SET blocked_at = now() WHERE id = $1', [user]);
const count = async (table: string): Promise<unknown> => {
  const [row] = await harness.source.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${table} WHERE user_id = $1`,
    [user],
  );
  return row?.n;
};

it('401: a text whose author is blocked while it waits to be searched is not stored', async () => {
  const content = '很'.repeat(2000);
  beforeSearching(content, block);
  const parts = { book: String(await make.aBook()), title: 'On it', content };
  expectRefused(await send(harness, token, 'POST', '/v2/book/reviews', parts), 401, 122);
  expect(await count('reviews')).toBe(0);
});

it('401: a note whose author is blocked while its picture waits is not stored', async () => {
  beforeStoring(harness, block);
  const parts = { title: 'A day', content: 'It rained.', pids: 'p_1', image_1: await someJpeg() };
  expectRefused(await send(harness, token, 'POST', '/v2/notes', parts), 401, 122);
  expect(await count('notes')).toBe(0);
});
