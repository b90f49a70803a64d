import { type TestResponse } from '../http';
import { until } from './collectors';
import { Scene } from './scene';

const POOL = 4;
/** Connections outside the pool, with the one that checks for waiting sessions. */
const OTHERS = 4;
/** Failed writes, each of which would leave a session. */
const WRITES = 60;

jest.setTimeout(180_000);

let scene: Scene;
let token: string;
let books: readonly number[];
beforeAll(async () => {
  scene = await Scene.open({
    DATABASE_POOL: String(POOL),
    // Waiting writes would have their connections without end.
    DATABASE_STATEMENT_TIMEOUT_MS: '0',
    DATABASE_LOCK_TIMEOUT_MS: '0',
  });
  const people = await scene.people(1, 2 * POOL);
  [token = ''] = people.tokens;
  books = people.books;
});
afterAll(() => scene?.close());

const standbys = async (names: string): Promise<void> => {
  await scene.postgres.sql(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await scene.postgres.sql('SELECT pg_reload_conf()');
};

const write = (
  method: 'POST' | 'PUT',
  book: number | undefined,
  comment: string,
): Promise<TestResponse> =>
  scene.call(`/v2/book/${book}/collection`, {
    method,
    token,
    body: new URLSearchParams({ status: 'read', comment }),
  });

it('without its synchronous standby, writes get 503 and take a bounded number of sessions; reads work', async () => {
  for (const book of books) expect((await write('POST', book, 'first')).status).toBe(201);
  await standbys('absent');
  let failed = 0;
  const statuses = new Set<number>();
  const fail = async (book: number): Promise<void> => {
    while (failed < WRITES) {
      const { status, headers } = await write('PUT', book, String(failed));
      statuses.add(status);
      failed += 1;
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  };
  await Promise.all(books.map(fail));
  expect([...statuses]).toEqual([503]);
  expect((await scene.postgres.sessions()).length).toBeLessThanOrEqual(2 * POOL + OTHERS);
  const [book] = books;
  expect((await scene.call(`/v2/book/${book}`)).status).toBe(200);
  expect((await scene.call('/v2/book/search?q=Book')).status).toBe(200);

  // Another process notices before its first write, which would take one more session.
  const waiting = async (): Promise<number> => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    return (await scene.postgres.sql(sql)).length;
  };
  const before = await waiting();
  expect(before).toBeGreaterThan(0);
  const { code, stderr } = await scene.command([
    'user',
    'create',
    '--uid',
    'late',
    '--name',
    'Late',
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('synchronous standby')]);
  expect(await waiting()).toBe(before);

  await standbys('');
  await until(
    'writes are accepted again',
    async () => (await write('PUT', book, 'again')).status < 300,
  );
  const { body } = await scene.call(`/v2/book/${book}/collection`, { token });
  expect(body).toMatchObject({ comment: 'again' });
});
