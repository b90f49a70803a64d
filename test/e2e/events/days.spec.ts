import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { setClock } from './set-clock';

let harness: Harness;
let make: Factories;
let owner: number;
beforeAll(async () => {
  harness = await startHarness({ settings: { TIME_ZONE: 'UTC' } });
  make = new Factories(harness.database);
  owner = (await make.aUser()).id;
});
afterAll(() => harness.close());

/** A city of a zone with events from and to some times in UTC, by title. */
async function cityWith(
  zone: string,
  events: Readonly<Record<string, readonly [begin: string, end: string]>>,
): Promise<number> {
  const { id } = await make.aCity({ time_zone: zone });
  const titles = Object.keys(events);
  await make.events(owner, id, titles.length, (at) => {
    const title = titles[at] ?? '';
    const [begin_time, end_time] = events[title] ?? [];
    return { title, begin_time, end_time };
  });
  return id;
}

/** Titles of the events of some days, as it is `now`. */
async function on(dayType: string, now: string, query: string): Promise<string[]> {
  setClock(harness, now);
  const path = `/v2/event/list?day_type=${dayType}&${query}&count=100`;
  const { status, body } = await harness.call(path);
  expect(status).toBe(200);
  expect(body.total).toBe(body.events.length);
  return body.events.map(({ title }: { title: string }) => title);
}

describe('days in Asia/Shanghai, eight hours before UTC', () => {
  let loc: string;
  beforeAll(async () => {
    // 16:00 in UTC is midnight. 2026-07-20 is a Monday.
    const city = await cityWith('Asia/Shanghai', {
      'Sunday until midnight': ['2026-07-19 12:00:00', '2026-07-19 16:00:00'],
      'Monday from midnight': ['2026-07-19 16:00:00', '2026-07-19 17:00:00'],
      'Monday evening': ['2026-07-20 11:00:00', '2026-07-20 13:00:00'],
      'Monday to Wednesday': ['2026-07-20 12:00:00', '2026-07-22 10:00:00'],
      'Tuesday from midnight': ['2026-07-20 16:00:00', '2026-07-20 16:30:00'],
      'at midnight of Tuesday, no time': ['2026-07-20 16:00:00', '2026-07-20 16:00:00'],
      'Friday into Saturday': ['2026-07-24 14:00:00', '2026-07-24 18:00:00'],
      Saturday: ['2026-07-25 02:00:00', '2026-07-25 04:00:00'],
      'Sunday night': ['2026-07-26 14:00:00', '2026-07-26 15:59:59'],
      'Monday of next week': ['2026-07-26 16:00:00', '2026-07-26 18:00:00'],
      'months later': ['2026-11-01 00:00:00', '2026-11-02 00:00:00'],
    });
    loc = `loc=${city}`;
  });

  it('begin at local midnight, to the second', async () => {
    // A second before: it is Sunday still.
    expect(await on('today', '2026-07-19T15:59:59Z', loc)).toEqual(['Sunday until midnight']);
    expect(await on('tomorrow', '2026-07-19T15:59:59Z', loc)).toEqual([
      ...['Monday from midnight', 'Monday evening', 'Monday to Wednesday'],
    ]);
    expect(await on('today', '2026-07-19T16:00:00Z', loc)).toEqual([
      ...['Monday from midnight', 'Monday evening', 'Monday to Wednesday'],
    ]);
  });

  it('an event of several days is listed on each of them', async () => {
    for (const now of ['2026-07-20T15:00:00Z', '2026-07-21T01:00:00Z', '2026-07-22T09:59:59Z']) {
      expect(await on('today', now, loc)).toContain('Monday to Wednesday');
    }
    expect(await on('tomorrow', '2026-07-21T15:00:00Z', loc)).toEqual(['Monday to Wednesday']);
    expect(await on('today', '2026-07-22T10:00:00Z', loc)).toEqual([]);
  });

  it('an event without a duration is listed on its day', async () => {
    const title = 'at midnight of Tuesday, no time';
    expect(await on('tomorrow', '2026-07-20T01:00:00Z', loc)).toContain(title);
    expect(await on('today', '2026-07-20T01:00:00Z', loc)).not.toContain(title);
  });

  it('exclude past events', async () => {
    expect(await on('today', '2026-07-20T12:59:59Z', loc)).toContain('Monday evening');
    expect(await on('today', '2026-07-20T13:00:00Z', loc)).not.toContain('Monday evening');
  });

  const WEEK = [
    ...['Monday from midnight', 'Monday evening', 'Monday to Wednesday'],
    ...['Tuesday from midnight', 'at midnight of Tuesday, no time', 'Friday into Saturday'],
    ...['Saturday', 'Sunday night'],
  ];
  const WEEKEND = ['Friday into Saturday', 'Saturday', 'Sunday night'];

  it('day_type=week is Monday to Sunday', async () => {
    expect(await on('week', '2026-07-19T16:00:00Z', loc)).toEqual(WEEK);
    expect(await on('week', '2026-07-19T15:59:59Z', loc)).toEqual(['Sunday until midnight']);
    expect(await on('week', '2026-07-26T15:00:00Z', loc)).toEqual(['Sunday night']);
    expect(await on('week', '2026-07-26T16:00:00Z', loc)).toEqual(['Monday of next week']);
  });

  it('day_type=weekend is Saturday and Sunday of this week', async () => {
    expect(await on('weekend', '2026-07-20T00:00:00Z', loc)).toEqual(WEEKEND);
    expect(await on('weekend', '2026-07-26T15:00:00Z', loc)).toEqual(['Sunday night']);
    expect(await on('weekend', '2026-07-26T16:00:00Z', loc)).toEqual([]);
  });

  it('day_type=future has all events, as without day_type', async () => {
    const all = [...WEEK, 'Monday of next week', 'months later'];
    expect(await on('future', '2026-07-19T16:00:00Z', loc)).toEqual(all);
    expect(await on('', '2026-07-19T16:00:00Z', loc)).toEqual(all);
    expect(await on('future', '2026-07-24T15:00:00Z', loc)).toEqual([
      ...['Friday into Saturday', 'Saturday', 'Sunday night', 'Monday of next week'],
      'months later',
    ]);
  });
});

describe('days at the end of a year', () => {
  it('a week may span two years', async () => {
    // 2026-12-31 is a Thursday.
    const city = await cityWith('Asia/Shanghai', {
      'last evening': ['2026-12-31 12:00:00', '2026-12-31 15:00:00'],
      'over midnight': ['2026-12-31 15:00:00', '2026-12-31 17:00:00'],
      'first day': ['2027-01-01 02:00:00', '2027-01-01 03:00:00'],
      'first Sunday': ['2027-01-03 02:00:00', '2027-01-03 03:00:00'],
      'first Monday': ['2027-01-03 16:00:00', '2027-01-03 17:00:00'],
    });
    const loc = `loc=${city}`;
    const now = '2026-12-31T11:00:00Z';
    expect(await on('today', now, loc)).toEqual(['last evening', 'over midnight']);
    expect(await on('tomorrow', now, loc)).toEqual(['over midnight', 'first day']);
    const week = ['last evening', 'over midnight', 'first day', 'first Sunday'];
    expect(await on('week', now, loc)).toEqual(week);
    expect(await on('weekend', now, loc)).toEqual(['first Sunday']);
    expect(await on('today', '2026-12-31T16:00:00Z', loc)).toEqual(['over midnight', 'first day']);
  });
});

describe('days on which clocks change', () => {
  it('have 23 hours in New York in March', async () => {
    // 2026-03-08: midnight is 05:00 in UTC, the next one 04:00.
    const city = await cityWith('America/New_York', {
      before: ['2026-03-08 04:00:00', '2026-03-08 05:00:00'],
      first: ['2026-03-08 05:00:00', '2026-03-08 05:30:00'],
      last: ['2026-03-09 03:30:00', '2026-03-09 04:00:00'],
      after: ['2026-03-09 04:00:00', '2026-03-09 04:30:00'],
    });
    const loc = `loc=${city}`;
    expect(await on('today', '2026-03-08T04:30:00Z', loc)).toEqual(['before']);
    expect(await on('today', '2026-03-08T05:00:00Z', loc)).toEqual(['first', 'last']);
    expect(await on('today', '2026-03-09T03:59:59Z', loc)).toEqual(['last']);
    expect(await on('tomorrow', '2026-03-08T12:00:00Z', loc)).toEqual(['after']);
    // It is a Sunday: the week ends an hour early, too.
    expect(await on('week', '2026-03-08T12:00:00Z', loc)).toEqual(['last']);
  });

  it('have 25 hours in New York in November', async () => {
    // 2026-11-01: midnight is 04:00 in UTC, the next one 05:00.
    const city = await cityWith('America/New_York', {
      first: ['2026-11-01 04:00:00', '2026-11-01 04:30:00'],
      last: ['2026-11-02 04:30:00', '2026-11-02 05:00:00'],
      after: ['2026-11-02 05:00:00', '2026-11-02 05:30:00'],
    });
    const loc = `loc=${city}`;
    expect(await on('today', '2026-11-01T04:00:00Z', loc)).toEqual(['first', 'last']);
    expect(await on('today', '2026-11-02T04:59:59Z', loc)).toEqual(['last']);
    expect(await on('tomorrow', '2026-11-01T12:00:00Z', loc)).toEqual(['after']);
  });

  it('begin at the first of two midnights in Havana', async () => {
    // 2026-11-01: at 01:00 (05:00 in UTC) it is midnight again.
    const city = await cityWith('America/Havana', {
      'the evening before': ['2026-11-01 03:30:00', '2026-11-01 04:00:00'],
      'after the first midnight': ['2026-11-01 04:10:00', '2026-11-01 04:50:00'],
      'after the second midnight': ['2026-11-01 05:10:00', '2026-11-01 05:50:00'],
    });
    const loc = `loc=${city}`;
    const both = ['after the first midnight', 'after the second midnight'];
    expect(await on('today', '2026-11-01T03:59:59Z', loc)).toEqual(['the evening before']);
    expect(await on('tomorrow', '2026-11-01T03:59:59Z', loc)).toEqual(both);
    expect(await on('today', '2026-11-01T04:00:00Z', loc)).toEqual(both);
  });

  it('begin at the first existing instant where midnight is skipped, in Beirut', async () => {
    // 2026-03-29: 00:00 to 01:00 is left out; the day begins at 22:00 in UTC.
    const city = await cityWith('Asia/Beirut', {
      before: ['2026-03-28 21:00:00', '2026-03-28 22:00:00'],
      first: ['2026-03-28 22:00:00', '2026-03-28 22:30:00'],
    });
    const loc = `loc=${city}`;
    expect(await on('today', '2026-03-28T21:30:00Z', loc)).toEqual(['before']);
    expect(await on('tomorrow', '2026-03-28T21:30:00Z', loc)).toEqual(['first']);
    expect(await on('today', '2026-03-28T22:00:00Z', loc)).toEqual(['first']);
  });
});

describe('days without a city', () => {
  it('are those of the city of each event', async () => {
    const now = '2031-05-06T20:00:00Z';
    // Tuesday in New York, Wednesday in Shanghai.
    const west: [string, string] = ['2031-05-06 21:00:00', '2031-05-06 22:00:00'];
    const east: [string, string] = ['2031-05-07 14:00:00', '2031-05-07 15:00:00'];
    await cityWith('America/New_York', { 'west today': west, 'west tomorrow': east });
    await cityWith('Asia/Shanghai', { 'east today': west, 'east today too': east });
    // Every other event of this file is over by then.
    const today = await on('today', now, 'type=all');
    expect(today.sort()).toEqual(['east today', 'east today too', 'west today']);
    expect(await on('tomorrow', now, '')).toEqual(['west tomorrow']);
  });
});
