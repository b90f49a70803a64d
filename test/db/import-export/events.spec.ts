import { checkEvents } from '../../../src/import-export/events/event.recount';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { summary, toLines, Transfer, type Wire } from './transfer';
import { EVENTS, LOCS, PARTICIPATIONS } from './events-records';

let opened: TestDatabase;
let transfer: Transfer;
beforeEach(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
});
afterEach(() => opened.close());

const rowsOf = async (id: number) => {
  const [row] = await transfer.query<Wire>('SELECT * FROM events WHERE id = $1', [id]);
  return row ?? {};
};
const loc = (more: Wire = {}) => ({ id: '5', name: 'City', ...more });
const event = (more: Wire = {}) => ({
  ...{ id: '11', title: 'Event', begin_time: '2026-02-28 10:00:00', loc_id: '5', owner_id: '21' },
  ...more,
});

it('cities, events and participations are exported as they were imported; a second import changes nothing', async () => {
  const all = [
    ['loc', LOCS],
    ['event', EVENTS],
    ['participation', PARTICIPATIONS],
  ] as const;
  for (const [kind, records] of all) {
    expect(await transfer.take(kind, records)).toEqual(summary({ imported: records.length }));
    expect(await transfer.take(kind, records)).toEqual(summary({ skipped: records.length }));
  }
  // One after the other, in the order in which they were stored.
  const lines = (text: string) => text.split('\n').sort();
  for (const [kind, records] of all) {
    expect(lines(await transfer.export(kind))).toEqual(lines(toLines(records)));
  }
  expect(await rowsOf(11)).toMatchObject({
    ...{ participant_base: 3, participants: 2, wisher_base: 4, wishers: 1 },
  });
  expect(await checkEvents(opened.database, { repair: false })).toEqual([]);
});

describe('cities', () => {
  it('keep their time zone when a file omits it', async () => {
    await transfer.take('loc', [loc({ time_zone: 'Asia/Urumqi' })]);
    await transfer.take('loc', [loc({ name: 'Other' })]);
    expect(await transfer.records('loc')).toMatchObject([
      { name: 'Other', time_zone: 'Asia/Urumqi', uid: '5', habitable: 'yes' },
    ]);
  });

  it('are imported from a list response of the API', async () => {
    const list = { start: 0, count: 2, total: 2, locs: LOCS };
    const { summary: done, faults } = await transfer.import('loc', JSON.stringify(list));
    expect({ done, faults }).toEqual({ done: summary({ imported: 2 }), faults: [] });
  });

  it.each([
    [{ name: '' }, 'name is missing'],
    [{ id: '0' }, 'id must be a positive integer below 2^53, not a string'],
    [{ uid: 'a b' }, 'uid must be letters, digits, "-", "_" or ".", not digits only or dots only'],
    [{ uid: '77' }, 'uid must be letters, digits, "-", "_" or ".", not digits only or dots only'],
    [{ uid: '..' }, 'uid must be letters, digits, "-", "_" or ".", not digits only or dots only'],
    [{ time_zone: 'Asia/Nowhere' }, 'time_zone must be an IANA time zone'],
    [{ time_zone: '+08:00' }, 'time_zone must be an IANA time zone'],
  ])('with %j are reported, and the others are imported', async (wrong, reason) => {
    const { summary: done, faults } = await transfer.import('loc', [loc(wrong), loc({ id: 6 })]);
    expect(done).toEqual(summary({ imported: 1, failed: 1 }));
    expect(faults).toEqual([{ file: 'file', line: 1, reason }]);
  });

  it('become placeholders with a name when an event refers to them, and are completed by their own record', async () => {
    await transfer.take('event', [event()]);
    await transfer.take('event', [event({ id: 12, loc_name: '南宁' })]);
    await transfer.take('event', [event({ id: 13, loc_name: 'Else' })]);
    const placeholders = await transfer.query('SELECT id, name, uid, placeholder FROM cities');
    expect(placeholders).toEqual([{ id: '5', name: '南宁', uid: '5', placeholder: true }]);
    expect(await transfer.take('loc', [loc()])).toEqual(summary({ imported: 1 }));
    await transfer.take('event', [event({ id: 14, loc_name: 'Else' })]);
    expect(await transfer.records('loc')).toMatchObject([{ id: '5', name: 'City' }]);
  });
});

describe('events', () => {
  it.each([
    ['10', 'music', 10],
    [18, 'film', 18],
    ['travel', 'travel', 16],
    ['course', 'course', 0],
    ['9', '9', 0],
    ['', 'others', 0],
    [undefined, 'others', 0],
  ])('of the category %j are stored as %s', async (category, stored, type) => {
    await transfer.take('event', [event({ category })]);
    expect(await rowsOf(11)).toMatchObject({ category: stored, type });
  });

  it.each([
    ['39.123456789 -116.98765432101', 39.1234568, -116.9876543],
    [`0.${'0'.repeat(200)}1 -0.00000001`, 0, 0],
    [' 90.000 +180.0', 90, 180],
    ['', null, null],
  ])('with geo %j have coordinates of 7 decimals, and keep the text', async (geo, lat, lon) => {
    await transfer.take('event', [event({ geo })]);
    expect(await rowsOf(11)).toMatchObject({ geo, lat, lon });
    expect(await transfer.take('event', [event({ geo })])).toEqual(summary({ skipped: 1 }));
  });

  it('accept both names of the poster members', async () => {
    await transfer.take('event', [
      event({ image_hlarge: 'h1', image_lmobile: 'l1' }),
      event({ id: 12, 'image-hlarge': 'h2', image_hlarge: 'x', 'image-lmobile': 'l2' }),
    ]);
    expect(await rowsOf(11)).toMatchObject({ image_hlarge: 'h1', image_lmobile: 'l1' });
    expect(await rowsOf(12)).toMatchObject({ image_hlarge: 'h2', image_lmobile: 'l2' });
  });

  it('of a list response create their owners', async () => {
    const owner = { id: '1000022', uid: 'reader22', name: '读者', avatar: 'https://x.test/a' };
    const list = {
      ...{ count: 1, start: 20, total: 1311, districts: [{ id: '1', name: 'x' }], users: 3 },
      events: [
        {
          ...event({ owner: { ...owner, type: 'user', is_banned: false }, owner_id: undefined }),
          ...{ label: null, tags: 'a,b', subcategory_name: null, has_ticket: false },
        },
      ],
    };
    const { faults } = await transfer.import('event', JSON.stringify(list));
    expect(faults).toEqual([]);
    expect(await transfer.query('SELECT id, uid, name, avatar FROM users')).toEqual([owner]);
    expect(await rowsOf(11)).toMatchObject({ owner_id: '1000022', private: false });
  });

  it('keep members that a file omits; own counters stay separate from the imported base', async () => {
    await transfer.take('event', EVENTS);
    await transfer.take('participation', PARTICIPATIONS);
    const open = { is_priv: undefined, can_invite: undefined, invited: undefined };
    await transfer.take('event', [{ ...EVENTS[0], ...open, participant_count: 100 }]);
    expect(await transfer.records('event')).toEqual([
      { ...EVENTS[0], participant_count: 100 },
      EVENTS[1],
    ]);
    expect(await rowsOf(11)).toMatchObject({ participant_base: 100, participants: 2 });
  });

  it('invite exactly the users of the latest record', async () => {
    await transfer.take('event', [event({ invited: [31, '32', 32] })]);
    expect(await transfer.records('event')).toMatchObject([{ invited: [31, 32] }]);
    await transfer.take('event', [event({ invited: [33] })]);
    expect(await transfer.records('event')).toMatchObject([{ invited: [33] }]);
    await transfer.take('event', [event({ invited: [] })]);
    expect(await transfer.records('event')).toMatchObject([{ invited: [] }]);
  });

  it('that are created later get ids after those of imported ones', async () => {
    await transfer.take('event', [event({ id: 400 })]);
    await transfer.query(`INSERT INTO events (title, begins_at, ends_at, city_id, owner_id)
      VALUES ('next', now(), now(), 5, 21)`);
    expect(await transfer.query('SELECT max(id)::int AS id FROM events')).toEqual([{ id: 401 }]);
  });

  it.each([
    [{ title: ' ' }, 'title is missing'],
    [{ begin_time: undefined }, 'begin_time is missing'],
    [
      { begin_time: '2026-02-30 10:00:00' },
      'begin_time must be a time like 2013-12-25 22:09:04, not a string',
    ],
    [{ end_time: '2026-02-28 09:59:59' }, 'end_time must not be before begin_time'],
    [{ loc_id: undefined }, 'loc_id is missing'],
    [{ owner_id: undefined }, 'owner_id is missing'],
    [{ owner: { id: 3, name: 'x' } }, 'owner_id and owner.id differ'],
    [{ geo: '91 0' }, 'geo must be latitude and longitude, separated by a space'],
    [{ geo: '22.8' }, 'geo must be latitude and longitude, separated by a space'],
    [{ is_priv: 'maybe' }, 'is_priv must be yes or no'],
    [{ invited: ['x'] }, 'invited.id must be a positive integer below 2^53, not a string'],
    [{ invited: 3 }, 'invited must be a list, not a number'],
    [
      { participant_count: -1 },
      'participant_count must be an integer from 0 to 1000000000, not a number',
    ],
  ])('with %j are reported, and the others are imported', async (wrong, reason) => {
    const records = [event(wrong), event({ id: 12 })];
    const { summary: done, faults } = await transfer.import('event', records);
    expect(done).toEqual(summary({ imported: 1, failed: 1 }));
    expect(faults).toEqual([{ file: 'file', line: 1, reason }]);
  });
});

describe('cities', () => {
  it('accept only yes and no for habitable', async () => {
    const { summary: done, faults } = await transfer.import('loc', [
      { id: '71', name: 'A', uid: 'aa', habitable: 'maybe' },
      { id: '72', name: 'B', uid: 'bb' },
    ]);
    expect(done).toEqual(summary({ imported: 1, failed: 1 }));
    expect(faults).toEqual([{ file: 'file', line: 1, reason: 'habitable must be yes or no' }]);
  });
});

describe('participations', () => {
  beforeEach(() => transfer.take('event', EVENTS));
  const one = (more: Wire = {}) => ({ event_id: 11, user_id: 22, kind: 'wish', ...more });

  it('are counted once when repeated, and the last of several wins', async () => {
    const days = ['2026-01-01', '2026-01-02'].map((participate_date) => one({ participate_date }));
    await transfer.take('participation', [...days, one({ user_id: 99 })]);
    await transfer.take('participation', [one({ participate_date: '2026-01-03' })]);
    expect(await rowsOf(11)).toMatchObject({ wishers: 2, participants: 0 });
    // Which of two people comes first is nobody's business: records are stored in lanes.
    const records = await transfer.records('participation');
    const twice = { participate_date: '2026-01-03', user_id: '22' };
    expect(records).toContainEqual(expect.objectContaining(twice));
    expect(await checkEvents(opened.database, { repair: false })).toEqual([]);
  });

  it('get a new id when theirs is taken', async () => {
    await transfer.take('participation', [one({ id: 400 })]);
    await transfer.take('participation', [one({ id: 400, user_id: 23 })]);
    const ids = (await transfer.records('participation')).map(({ id }) => id);
    expect(ids).toEqual([400, 401]);
  });

  it('keep their id and time when a file omits them', async () => {
    await transfer.take('participation', [one({ id: 400, date: '2020-01-01 00:00:00' })]);
    expect(await transfer.take('participation', [one()])).toEqual(summary({ skipped: 1 }));
    // Those that are made later come after it: lists break ties by it.
    await transfer.take('participation', [one({ user_id: 23 })]);
    const ids = (await transfer.records('participation')).map(({ id }) => id);
    expect(ids).toEqual([400, 401]);
  });

  it.each([
    [{ kind: 'maybe' }, 'kind must be participate or wish'],
    [{ kind: undefined }, 'kind is missing'],
    [{ participate_date: '2026-02-30' }, 'participate_date must be a day like 2013-12-25'],
    [{ event_id: 999 }, 'Key (event_id)=(999) is not present in table "events".'],
  ])('with %j are reported, and the others are imported', async (wrong, reason) => {
    const records = [one(wrong), one({ user_id: 23 })];
    const { summary: done, faults } = await transfer.import('participation', records);
    expect(done).toEqual(summary({ imported: 1, failed: 1 }));
    expect(faults).toEqual([{ file: 'file', line: 1, reason }]);
    expect(await rowsOf(11)).toMatchObject({ wishers: 1 });
  });
});

describe('recount', () => {
  it('reports each wrong counter, corrects all, and reports nothing on the next run', async () => {
    await transfer.take('event', EVENTS);
    await transfer.take('participation', PARTICIPATIONS);
    const check = (repair: boolean) => checkEvents(opened.database, { repair });
    expect(await check(true)).toEqual([]);
    await transfer.query('UPDATE events SET participants = 7, wishers = 9 WHERE id = 11');
    await transfer.query('UPDATE events SET wishers = 1 WHERE id = 12');
    const drift = [
      { event_id: 11, what: 'participants', stored: 7, counted: 2 },
      { event_id: 11, what: 'wishers', stored: 9, counted: 1 },
      { event_id: 12, what: 'wishers', stored: 1, counted: 0 },
    ];
    expect(await check(false)).toEqual(drift);
    expect(await check(true)).toEqual(drift);
    expect(await check(true)).toEqual([]);
  });
});
