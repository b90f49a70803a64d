import { join } from 'node:path';
import {
  SampleCalendar,
  type SampleCity,
  type SampleEvent,
  type SampleParticipation,
} from './calendar';
import { readLines } from './lines';

type Event = SampleEvent & {
  readonly loc_name: string;
  readonly category: string;
  readonly is_priv: string;
  readonly owner_id: string;
  readonly invited: readonly string[];
};
type Participation = SampleParticipation & { readonly user_id: string; readonly kind: string };

const TYPES = [
  'music',
  'drama',
  'exhibition',
  'salon',
  'party',
  'sports',
  'travel',
  'commonweal',
  'film',
  'others',
];
const ZONE = 'Asia/Shanghai';
const HOUR = 3600 * 1000;
const read = <T>(name: string) => readLines<T>(join(__dirname, 'data', name));

let cities: (SampleCity & { readonly name: string })[];
let events: Event[];
let participations: Participation[];

beforeAll(async () => {
  cities = await read('locs.ndjson');
  events = await read('events.ndjson');
  participations = await read('participations.ndjson');
});

const calendarAt = (now: Date, zone = ZONE) => new SampleCalendar(now, zone, cities, events);
const the = (id: string): Event => {
  const event = events.find((it) => it.id === id);
  if (!event) throw new Error(`no event ${id}`);
  return event;
};
const instant = (time: string) => Date.parse(`${time.replace(' ', 'T')}+08:00`);

// Two weeks around New Year in Shanghai, each day just after midnight, at noon and before midnight.
const MOMENTS = Array.from(
  { length: 14 },
  (_, n) => Date.parse('2026-12-25T00:00:00+08:00') + n * 24 * HOUR,
)
  .flatMap((midnight) => [midnight + 1000, midnight + 12 * HOUR, midnight + 24 * HOUR - 1000])
  .map((moment) => new Date(moment));

/** Start and end of a day type for a moment in Shanghai. */
function reach(type: string, now: Date): [number, number] {
  const local = now.getTime() + 8 * HOUR;
  const day = (n: number) => (Math.floor(local / (24 * HOUR)) + n) * 24 * HOUR - 8 * HOUR;
  const weekday = (new Date(local).getUTCDay() + 6) % 7;
  const days: Record<string, [number, number]> = {
    today: [0, 1],
    tomorrow: [1, 2],
    week: [-weekday, 7 - weekday],
    weekend: [5 - weekday, 7 - weekday],
    future: [0, 3650],
  };
  const [from, to] = days[type] ?? [0, 0];
  return [Math.max(day(from), now.getTime()), day(to)];
}

describe('events of the sample', () => {
  it.each(['future', 'week', 'weekend', 'today', 'tomorrow'])(
    'exist for "%s" in Beijing and Shanghai on any day of loading',
    (dayType) => {
      for (const now of MOMENTS) {
        const calendar = calendarAt(now);
        const [from, to] = reach(dayType, now);
        const found = events
          .filter((event) => event.is_priv === 'no')
          .map((event) => calendar.event(event))
          .filter((event) => instant(event.begin_time) < to && instant(event.end_time) > from)
          .map((event) => event.loc_id);
        expect(found).toEqual(expect.arrayContaining(['108288', '108296']));
      }
    },
  );

  it('have all types, and upcoming ones without a type, on any day of loading', () => {
    expect([...new Set(events.map(({ category }) => category))].sort()).toEqual([...TYPES].sort());
    for (const now of MOMENTS) {
      const calendar = calendarAt(now);
      const coming = events.filter(
        (event) => instant(calendar.event(event).end_time) > now.getTime(),
      );
      expect(new Set(coming.map(({ category }) => category)).size).toBe(TYPES.length);
    }
  });

  it('end after they begin, and are in known cities', () => {
    const names = new Map(cities.map(({ id, name }) => [id, name]));
    for (const now of MOMENTS) {
      const calendar = calendarAt(now);
      for (const event of events) {
        const { begin_time: begin, end_time: end } = calendar.event(event);
        expect(begin < end).toBe(true);
        expect(names.get(event.loc_id)).toBe(event.loc_name);
      }
    }
  });

  it('begin at the same local time in their cities, written in the time zone of the service', () => {
    // Friday evening in New York, before daylight saving time ends on Sunday; Saturday in China.
    const now = new Date('2026-10-30T22:00:00Z');
    const lunch = the('36');
    expect(calendarAt(now).event(lunch)).toMatchObject({
      begin_time: '2026-11-06 01:15:00',
      end_time: '2026-11-06 02:15:00',
    });
    expect(calendarAt(now, 'America/New_York').event(lunch)).toMatchObject({
      begin_time: '2026-11-05 12:15:00',
    });
  });

  it('move when they are loaded on another day, and keep their ids', () => {
    const [monday, tuesday] = ['2026-11-23', '2026-11-24'].map((day) =>
      calendarAt(new Date(`${day}T04:00:00Z`)),
    );
    const first = monday?.event(the('1'));
    const second = tuesday?.event(the('1'));
    expect(first).toMatchObject({ id: '1', begin_time: '2026-11-23 19:30:00' });
    expect(second).toEqual({
      ...first,
      begin_time: '2026-11-24 19:30:00',
      end_time: '2026-11-24 21:30:00',
    });
  });

  it('have participants of the sample, who can see them and joined before they began', async () => {
    const users = new Set((await read<{ id: string }>('users.ndjson')).map(({ id }) => id));
    const keys = participations.map((it) => [it.event_id, it.user_id, it.kind].join());
    expect(new Set(keys).size).toBe(keys.length);
    for (const { owner_id: owner, invited } of events) {
      expect([owner, ...invited].every((id) => users.has(id))).toBe(true);
    }
    for (const now of MOMENTS) {
      const calendar = calendarAt(now);
      for (const participation of participations) {
        const event = the(participation.event_id);
        const { date } = calendar.participation(participation);
        expect(users.has(participation.user_id)).toBe(true);
        if (event.is_priv === 'yes') expect(event.invited).toContain(participation.user_id);
        const begin = instant(calendar.event(event).begin_time);
        expect(instant(date)).toBeLessThan(Math.min(now.getTime(), begin));
      }
    }
  });

  it('have participation dates within the event', () => {
    for (const zone of new Set(cities.map((city) => city.time_zone))) {
      const there = cities.filter((city) => city.time_zone === zone).map(({ id }) => id);
      const calendar = calendarAt(new Date('2026-12-31T16:30:00Z'), zone);
      for (const participation of participations) {
        const event = the(participation.event_id);
        const { participate_date: day } = calendar.participation(participation);
        if (day === '' || !there.includes(event.loc_id)) continue;
        const { begin_time: begin, end_time: end } = calendar.event(event);
        expect(day >= begin.slice(0, 10) && day <= end.slice(0, 10)).toBe(true);
      }
    }
  });
});
