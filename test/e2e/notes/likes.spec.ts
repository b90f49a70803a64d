import { randomNumbers } from '../../../src/import-export/synthetic/synthetic';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { STORM_SETTINGS } from '../storm';
import { writer, type Writer } from '../books/writes';
import { itIsForReaders, errorOf, NO_NOTES, NOT_FOUND } from './parts';

let harness: Harness;
let make: Factories;
let user: Writer;
beforeAll(async () => {
  harness = await startHarness({ settings: STORM_SETTINGS });
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

const liked = async (note: string): Promise<number> => (await user.get(note)).body.liked_count;

it('200 {}: a like counts once when it is repeated, and can be removed repeatedly', async () => {
  const note = `/v2/note/${(await make.aNote({ liked_count: 7 })).id}`;
  for (const [call, count] of [
    [user.remove, 7],
    [user.post, 8],
    [user.post, 8],
    [user.remove, 7],
    [user.remove, 7],
  ] as const) {
    const { status, body } = await call(`${note}/like`);
    expect([status, body, await liked(note)]).toEqual([200, {}, count]);
  }
});

it('400 1006 for an unknown note', async () => {
  for (const id of NO_NOTES) {
    expect(errorOf(await user.post(`/v2/note/${id}/like`))).toEqual(NOT_FOUND);
    expect(errorOf(await user.remove(`/v2/note/${id}/like`))).toEqual(NOT_FOUND);
  }
});

describe.each(['POST', 'DELETE'])('%s', (method) => {
  itIsForReaders(() => ({
    harness,
    method,
    path: '/v2/note/1/like',
    userId: user.id,
  }));
});

it('concurrent likes by one user count once', async () => {
  const { id } = await make.aNote();
  const calls = Array.from({ length: 20 }, () => user.post(`/v2/note/${id}/like`));
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(await liked(`/v2/note/${id}`)).toBe(1);
});

const USERS = 200;
const CALLS = 6;

it(`${USERS} concurrent users like and unlike one note ${USERS * CALLS} times: the counter equals the number of rows`, async () => {
  const { id } = await make.aNote();
  const users: Writer[] = [];
  for (let at = 0; at < USERS; at += 1) {
    users.push(await writer(harness, (await make.aUser()).id));
  }
  const seen = new Set<number>();
  let lowest = 0;
  const storm = async (by: Writer, seed: number): Promise<void> => {
    const random = randomNumbers(seed);
    for (let call = 0; call < CALLS; call += 1) {
      const act = random() < 0.5 ? by.post : by.remove;
      seen.add((await act(`/v2/note/${id}/like`)).status);
      if (call % 5 !== 0) continue;
      const { status, body } = await by.get(`/v2/note/${id}`);
      seen.add(status);
      lowest = Math.min(lowest, Number(body.liked_count));
    }
  };
  await Promise.all(users.map(storm));
  expect([...seen]).toEqual([200]);
  expect(lowest).toBe(0);
  const sql = 'SELECT count(*)::int AS n FROM note_likes WHERE note_id = $1';
  const [row] = await harness.source.query<{ n: number }[]>(sql, [id]);
  expect(await liked(`/v2/note/${id}`)).toBe(row?.n);
  await Promise.all(users.map((by) => by.remove(`/v2/note/${id}/like`)));
  expect(await liked(`/v2/note/${id}`)).toBe(0);
}, 300_000);
