import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';
import { type TestResponse } from '../../http';

/** Requests for each record and caller, all at once. */
const REPEATS = 3;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ settings: { CACHE_MB: '0' } });
  await harness.app.get(SampleService, { strict: false }).load();
  await harness.source.query(
    `UPDATE events SET private = true WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 3)`,
  );
});
afterAll(() => harness.close());

const idsOf = async (table: string): Promise<number[]> => {
  const rows = await harness.source.query<{ id: number }[]>(
    `SELECT id::int AS id FROM ${table} ORDER BY id LIMIT 8`,
  );
  return rows.map(({ id }) => id);
};

it('each of many concurrent reads gets its own record, for its own caller', async () => {
  const paths = [
    ...(await idsOf('books')).map((id) => `/v2/book/${id}`),
    ...(await idsOf('subjects')).map((id) => `/v2/movie/subject/${id}`),
    ...(await idsOf('events')).map((id) => `/v2/event/${id}`),
    ...['book', 'movie/subject', 'event'].map((area) => `/v2/${area}/999999999`),
  ];
  const owners = await harness.source.query<{ owner_id: number }[]>(
    'SELECT owner_id::int AS owner_id FROM events WHERE private ORDER BY id LIMIT 1',
  );
  const users = [undefined, 1, 2, owners[0]?.owner_id];
  const tokens = await Promise.all(users.map((userId) => harness.token({ userId })));
  const calls = [undefined, ...tokens].flatMap((token) => paths.map((path) => ({ path, token })));
  const shown = ({ status, body }: TestResponse): unknown => [status, body];

  const alone: unknown[] = [];
  for (const { path, token } of calls) alone.push(shown(await harness.call(path, { token })));
  expect(new Set(alone.map((reply) => JSON.stringify(reply))).size).toBeGreaterThan(paths.length);

  const names = new Set<string>();
  harness.database.onStatement = (name) => names.add(name);
  const repeated = Array.from({ length: REPEATS }, () => calls).flat();
  const together = await Promise.all(
    repeated.map(({ path, token }) => harness.call(path, { token })),
  );
  expect(together.map(shown)).toEqual(Array.from({ length: REPEATS }, () => alone).flat());
  expect([...names]).toEqual(
    expect.arrayContaining([
      'books.many_by_id',
      'books.many_by_id_for',
      'subjects.many_by_id_basic',
      'events.many_by_id',
    ]),
  );
});
