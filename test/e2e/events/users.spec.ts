import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itRefusesMalformedPages,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { membersOf } from '../books/shapes';
import { EVENT_USER } from './shapes';

let harness: Harness;
let make: Factories;
let event: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  // An imported count is of people whom nobody knows: it is in no list.
  event = (await make.anEvent({ participant_count: 1000, wisher_count: 1000 })).id;
  const joined = [];
  for (let at = 0; at < 105; at += 1) {
    const user_id = 4_100_000 + at;
    const date = `2026-05-0${1 + (at % 3)} 10:00:00`;
    joined.push({ event_id: event, user_id, date });
    joined.push({ event_id: event, user_id: user_id + 1000, date, kind: 'wish' });
  }
  await make.participations(...joined);
});
afterAll(() => harness.close());

describe.each([
  ['participants', 'participate', 4_100_000],
  ['wishers', 'wish', 4_101_000],
])('GET /v2/event/:id/%s', (name, kind, first) => {
  const get = (id: number | string, token?: string) =>
    harness.call(`/v2/event/${id}/${name}`, { token });
  const list = () => ({
    ...{ harness, path: `/v2/event/${event}/${name}`, member: 'users', total: 105 },
  });
  itIsPaged(list);
  itRefusesMalformedPages(list);

  it('200: has users of section 2.10, newest first', async () => {
    const { id } = await make.anEvent();
    const { id: user_id, uid } = await make.aUser({ name: 'New', avatar: 'https://x.test/a' });
    await make.participations(
      { event_id: id, user_id: first, kind, date: '2026-01-01 00:00:01' },
      { event_id: id, user_id, kind, date: '2026-01-01 00:00:02' },
      { event_id: id, user_id: first + 1, kind, date: '2026-01-01 00:00:00' },
    );
    const { status, body } = await get(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ start: 0, count: 3, total: 3 });
    expect(membersOf(body.users[0])).toEqual(EVENT_USER);
    expect(body.users[0]).toMatchObject({ id: String(user_id), uid, name: 'New' });
    const ids = body.users.map((user: { id: string }) => Number(user.id));
    expect(ids).toEqual([user_id, first, first + 1]);
  });

  it('200: has the same order on pages of any size', async () => {
    const idsBy = async (count: number) => (await walk(list(), count)).map(({ id }) => id);
    expect(await idsBy(7)).toEqual(await idsBy(100));
  });

  it('200: is empty for an event without users', async () => {
    const { body } = await get((await make.anEvent()).id);
    expect(body).toEqual({ start: 0, count: 0, total: 0, users: [] });
  });

  it('200, 404: users of a private event are visible to its owner, and unknown (1001) to others', async () => {
    const { id, owner_id } = await make.anEvent({ is_priv: 'yes' });
    const token = await harness.token({ userId: owner_id });
    expect((await get(id, token)).status).toBe(200);
    expectError(await get(id), 404, 1001, 'uri_not_found');
  });

  it.each(UNKNOWN_IDS)('404: returns 1001 for the unknown event %s', async (id) =>
    expectError(await get(id), 404, 1001, 'uri_not_found'),
  );
  it('404: returns 1001 for 1a, which is not an id', async () =>
    expectError(await get('1a'), 404, 1001, 'uri_not_found'));

  it('403: rejects a token without event_basic_r (1000)', async () => {
    const token = await harness.token({ scopes: ['book_basic_r'] });
    expectError(await get(event, token), 403, 1000, 'need_permission');
  });

  it('runs the same statements for 1 element as for 100', async () => {
    for (const count of [1, 100]) {
      const { names } = await statementsOf(harness, `${list().path}?count=${count}`);
      expect(names).toHaveLength(1);
    }
  });
});
