import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  expectMalformed,
  itIsPaged,
  itRefusesMalformedPages,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { membersOf } from '../books/shapes';
import { setClock } from './set-clock';
import { EVENT } from './shapes';

let harness: Harness;
let make: Factories;
/** A user with 105 events of each list, and one with one that is over and one that is not. */
let busy: number;
let idle: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  setClock(harness, '2026-06-01T00:00:00Z');
  busy = (await make.aUser()).id;
  idle = (await make.aUser()).id;
  const { id: city } = await make.aCity();
  const many = await make.events(busy, city, 105, (at) => ({
    begin_time: `2026-05-0${1 + (at % 3)} 10:00:00`,
  }));
  const join = (user_id: number, ids: readonly number[], kind: string) =>
    make.participations(...ids.map((event_id) => ({ event_id, user_id, kind })));
  await join(busy, many, 'participate');
  await join(busy, many, 'wish');
  const times = [
    { title: 'over', begin_time: '2026-05-01 00:00:00', end_time: '2026-06-01 08:00:00' },
    { title: 'not over', begin_time: '2026-05-02 00:00:00', end_time: '2026-06-01 08:00:01' },
  ];
  const two = await make.events(idle, city, 2, (at) => times[at] ?? {});
  await join(idle, two, 'participate');
  await join(idle, two, 'wish');
});
afterAll(() => harness.close());

const titlesOf = (body: { events: { title: string }[] }): string[] =>
  body.events.map(({ title }) => title);

describe.each(['user_created', 'user_participated', 'user_wished'])(
  'GET /v2/event/%s/:id',
  (name) => {
    const get = (id: number | string, query = '', token?: string) =>
      harness.call(`/v2/event/${name}/${id}?${query}`, { token });
    const list = () => ({
      ...{ harness, path: `/v2/event/${name}/${busy}`, member: 'events', total: 105 },
    });
    itIsPaged(list);
    itRefusesMalformedPages(list);

    it('200: has events of section 2.10, sorted by begin time, then by id', async () => {
      const events = await walk(list(), 10);
      expect(membersOf(events[0])).toEqual(EVENT);
      const keys = events.map(({ begin_time, id }) => `${begin_time} ${id.padStart(20, '0')}`);
      expect(keys).toEqual([...keys].sort());
    });

    it('200: is empty for a user without events', async () => {
      const { body } = await get((await make.aUser()).id);
      expect(body).toEqual({ start: 0, count: 0, total: 0, events: [] });
    });

    it('200: includes events that have ended', async () => {
      expect(titlesOf((await get(idle)).body)).toEqual(['over', 'not over']);
      expect(titlesOf((await get(idle, 'status=')).body)).toEqual(['over', 'not over']);
    });

    it('200: excludes private events, except for owner and invited users', async () => {
      const guest = (await make.aUser()).id;
      const { id, owner_id } = await make.anEvent({ is_priv: 'yes', invited: [guest] });
      const joined = { event_id: id, user_id: owner_id };
      await make.participations(joined, { ...joined, kind: 'wish' });
      const total = async (userId?: number) => {
        const token = userId === undefined ? undefined : await harness.token({ userId });
        const { body } = await get(owner_id, '', token);
        expect(body.events).toHaveLength(body.total);
        return body.total;
      };
      expect(await total()).toBe(0);
      expect(await total(busy)).toBe(0);
      expect(await total(guest)).toBe(1);
      expect(await total(owner_id)).toBe(1);
    });

    it.each(UNKNOWN_IDS)('404: returns 1001 for the unknown user %s', async (id) =>
      expectError(await get(id), 404, 1001, 'uri_not_found'),
    );
    it.each(['abc', '1a'])('404: returns 1001 for %s, which is not an id', async (id) =>
      expectError(await get(id), 404, 1001, 'uri_not_found'),
    );

    it('403: rejects a token without event_basic_r (1000)', async () => {
      const token = await harness.token({ scopes: ['book_basic_r'] });
      expectError(await get(busy, '', token), 403, 1000, 'need_permission');
    });

    it('runs the same statements for 1 element as for 100', async () => {
      for (const count of [1, 100]) {
        const { names } = await statementsOf(harness, `${list().path}?count=${count}`);
        expect(names).toHaveLength(1);
      }
    });
  },
);

describe.each(['user_participated', 'user_wished'])('status of GET /v2/event/%s/:id', (name) => {
  const get = (query: string) => harness.call(`/v2/event/${name}/${idle}?${query}`);

  it('200: ongoing excludes events that have ended, expired has only these, to the second (D39)', async () => {
    expect((await get('status=ongoing')).body).toMatchObject({ total: 1, count: 1 });
    expect(titlesOf((await get('status=ongoing')).body)).toEqual(['not over']);
    expect(titlesOf((await get('status=expired')).body)).toEqual(['over']);
  });

  it.each(['status=past', 'status=Ongoing', 'status=ongoing&status=expired'])(
    '400: returns 999 for %s',
    async (query) => expectMalformed(await get(query)),
  );
});
