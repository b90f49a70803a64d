import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  expectMalformed,
  itIsPaged,
  itRefusesMalformedPages,
  statementsOf,
  walk,
} from '../guarantees';
import { membersOf } from '../books/shapes';
import { setClock } from './set-clock';
import { EVENT } from './shapes';

let harness: Harness;
let make: Factories;
let owner: number;
/** A city with 105 events, and one with events of all types. */
let large: { id: number; uid: string };
let small: { id: number; uid: string };
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  setClock(harness, '2026-06-01T00:00:00Z');
  owner = (await make.aUser()).id;
  large = await make.aCity({ uid: 'large-city' });
  small = await make.aCity();
  // Three times: long runs of ties.
  await make.events(owner, large.id, 105, (at) => ({
    begin_time: `2026-05-0${1 + (at % 3)} 10:00:00`,
  }));
  const categories = ['10', 'drama', 12, 'salon', 'party', 'sports', 'travel', 'commonweal'];
  categories.push('film', 'course', '', 'others', '19');
  await make.events(owner, small.id, categories.length, (at) => ({
    title: String(categories[at] || 'none'),
    category: categories[at],
    begin_time: `2026-05-01 10:00:${10 + at}`,
  }));
});
afterAll(() => harness.close());

const get = (query: string, token?: string) => harness.call(`/v2/event/list?${query}`, { token });
const titles = async (query: string, token?: string): Promise<string[]> => {
  const { status, body } = await get(query, token);
  expect(status).toBe(200);
  expect(body.total).toBe(body.count);
  return body.events.map(({ title }: { title: string }) => title);
};

describe('GET /v2/event/list', () => {
  const list = () => ({
    ...{ harness, path: `/v2/event/list?loc=${large.id}`, member: 'events', total: 105 },
  });
  itIsPaged(list);
  itRefusesMalformedPages(list);

  it('200: has events of section 2.10, sorted by begin time, then by id', async () => {
    const events = await walk(list(), 10);
    expect(membersOf(events[0])).toEqual(EVENT);
    const keys = events.map(({ begin_time, id }) => `${begin_time} ${id.padStart(20, '0')}`);
    expect(keys).toEqual([...keys].sort());
  });

  it('200: accepts a city by id and uid, and returns all cities when it is absent or empty', async () => {
    const totals = await Promise.all(
      [`loc=${large.id}`, `loc=${large.uid}`, 'loc=', 'count=1', `loc=${small.id}`].map(
        async (query) => (await get(query)).body.total,
      ),
    );
    expect(totals).toEqual([105, 105, 118, 118, 13]);
    expect((await get(`loc=${(await make.aCity()).id}`)).body.total).toBe(0);
  });

  const ALL = ['10', 'drama', '12', 'salon', 'party', 'sports', 'travel', 'commonweal', 'film'];
  const OTHERS = ['course', 'none', 'others', '19'];
  it.each([
    ['music', ['10']],
    ['drama', ['drama']],
    ['exhibition', ['12']],
    ['salon', ['salon']],
    ['party', ['party']],
    ['sports', ['sports']],
    ['travel', ['travel']],
    ['commonweal', ['commonweal']],
    ['film', ['film']],
    ['10', ['10']],
    ['11', ['drama']],
    ['12', ['12']],
    ['13', ['salon']],
    ['14', ['party']],
    ['15', ['sports']],
    ['16', ['travel']],
    ['17', ['commonweal']],
    ['18', ['film']],
    ['others', OTHERS],
    ['all', [...ALL, ...OTHERS]],
    ['', [...ALL, ...OTHERS]],
  ])('200: type=%s has the events of that type', async (type, expected) => {
    expect(await titles(`loc=${small.id}&type=${type}`)).toEqual(expected);
  });

  it('200: excludes events that have ended, to the second', async () => {
    const { id: loc_id } = await make.aCity();
    const at = { loc_id, begin_time: '2026-05-01 00:00:00' };
    await make.anEvent({ ...at, title: 'over', end_time: '2026-06-01 08:00:00' });
    await make.anEvent({ ...at, title: 'not over', end_time: '2026-06-01 08:00:01' });
    expect(await titles(`loc=${loc_id}`)).toEqual(['not over']);
  });

  it('200: excludes private events from elements and total, except for owner and invited users', async () => {
    const { id: loc_id } = await make.aCity();
    const guest = (await make.aUser()).id;
    const begin_time = '2026-05-01 00:00:00';
    await make.anEvent({ title: 'open', loc_id, begin_time });
    const { owner_id } = await make.anEvent({
      ...{ title: 'private', loc_id, is_priv: 'yes', invited: [guest] },
      begin_time: '2026-05-02 00:00:00',
    });
    const listedTitles = async (userId?: number, more = '') =>
      titles(
        `loc=${loc_id}${more}`,
        userId === undefined ? undefined : await harness.token({ userId }),
      );
    for (const more of ['', '&day_type=week', '&type=others']) {
      expect(await listedTitles(undefined, more)).toEqual(['open']);
      expect(await listedTitles((await make.aUser()).id, more)).toEqual(['open']);
      expect(await listedTitles(owner_id, more)).toEqual(['open', 'private']);
      expect(await listedTitles(guest, more)).toEqual(['open', 'private']);
    }
  });

  it('404: does not accept a city by name (D39)', async () => {
    const { uid } = await make.aCity({ name: 'Unterort' });
    expect((await harness.call(`/v2/event/list?loc=${uid}`)).status).toBe(200);
    expectError(await harness.call('/v2/event/list?loc=Unterort'), 404, 1001, 'uri_not_found');
  });

  it.each(['nowhere', '0', '999999999', '9007199254740993', '9'.repeat(50), '%00', 'large_city'])(
    '404: returns 1001 for the unknown city %s',
    async (loc) => {
      const response = await get(`loc=${loc}`);
      if (loc === '%00') expect(response.status).toBe(200);
      else expectError(response, 404, 1001, 'uri_not_found');
    },
  );

  it.each([
    ...['day_type=yesterday', 'day_type=TODAY', 'day_type=today&day_type=week', 'type=9'],
    ...['type=19', 'type=Music', 'type=constructor', 'loc=1&loc=2', 'near=1', 'near=1,2,3'],
    ...['near=91,0', 'near=0,181', 'near=a,b', 'near=1;2', 'near=,', 'near=1e1,2', 'near=NaN,0'],
    ...['near=1,2&radius=-1', 'near=1,2&radius=501', 'near=1,2&radius=x', 'radius=x'],
    ...['near=1,2&near=1,2', 'near=1,2&radius=Infinity'],
  ])('400: returns 999 for %s', async (query) => expectMalformed(await get(query)));

  it('403: rejects a token without event_basic_r (1000)', async () => {
    const token = await harness.token({ scopes: ['book_basic_r'] });
    expectError(await get('', token), 403, 1000, 'need_permission');
  });

  it.each([
    ['', 1],
    ['&day_type=week', 1],
    ['&near=1,2', 1],
    ['&day_type=today&near=1,2', 1],
    ['&loc=large-city', 2],
    ['&loc=large-city&day_type=weekend&type=music&near=1,2', 2],
  ])('runs the same statements for 1 element as for 100: "%s"', async (query, statements) => {
    for (const count of [1, 100]) {
      const { names } = await statementsOf(harness, `/v2/event/list?count=${count}${query}`);
      expect(names).toHaveLength(statements);
    }
  });
});

describe('GET /v2/event/list with near', () => {
  const PLACES: Readonly<Record<string, string>> = {
    'Tiananmen Square': '39.9055 116.3976',
    'Beijing South, 5 km': '39.8652 116.3786',
    'Tianjin, 110 km': '39.1336 117.2054',
    'Fiji, west of the date line': '-16.80 179.99',
    'Fiji, east of the date line': '-16.80 -179.99',
    'North Pole': '89.999 10',
    'beyond the pole': '89.95 -170',
    'on the line itself': '0 180',
    nowhere: '',
  };
  beforeAll(async () => {
    const names = Object.keys(PLACES);
    const { id } = await make.aCity({ time_zone: 'UTC' });
    await make.events(owner, id, names.length, (at) => ({
      title: names[at],
      geo: PLACES[names[at] ?? ''],
      category: at === 1 ? 'film' : 'music',
      begin_time: `2026-07-01 10:00:${10 + at}`,
    }));
  });

  it.each([
    ['39.9055,116.3976', ['Tiananmen Square', 'Beijing South, 5 km']],
    ['39.9055,116.3976&radius=', ['Tiananmen Square', 'Beijing South, 5 km']],
    ['39.9055,116.3976&radius=4', ['Tiananmen Square']],
    ['39.9055,116.3976&radius=0', ['Tiananmen Square']],
    ['39.9055,116.3976&radius=4.7&type=film', []],
    ['39.9055,116.3976&type=film', ['Beijing South, 5 km']],
    ['39.9,%20116.4&radius=130.5', ['Tiananmen Square', 'Beijing South, 5 km', 'Tianjin, 110 km']],
    ['-16.8,179.999', ['Fiji, west of the date line', 'Fiji, east of the date line']],
    ['-16.8,-179.999', ['Fiji, west of the date line', 'Fiji, east of the date line']],
    ['-16.8,180', ['Fiji, west of the date line', 'Fiji, east of the date line']],
    ['-16.8,-180', ['Fiji, west of the date line', 'Fiji, east of the date line']],
    ['0,-180', ['on the line itself']],
    ['0,180', ['on the line itself']],
    ['90,0', ['North Pole', 'beyond the pole']],
    ['89.999,-100', ['North Pole', 'beyond the pole']],
    ['-90,0&radius=500', []],
    ['0,0', []],
  ])('200: near=%s returns the events within the radius', async (near, expected) => {
    expect(await titles(`near=${near}`)).toEqual(expected);
  });

  it('200: near combines with day_type and loc', async () => {
    expect(await titles('near=39.9055,116.3976&day_type=today')).toEqual([]);
    expect(await titles(`near=39.9055,116.3976&loc=${large.id}`)).toEqual([]);
  });

  it('200: near finds events at a tiny distance, also when their coordinates are not rounded', async () => {
    const { id: city } = await make.aCity();
    const tiny = `0.${'0'.repeat(200)}1`;
    const geo = [`${tiny} 0`, `0 -${tiny}`, `-${tiny} ${tiny}`];
    const ids = await make.events(owner, city, geo.length, (at) => ({
      ...{ title: String(at), geo: geo[at], begin_time: `2026-07-01 10:00:0${at}` },
    }));
    const near = (radius: number) => titles(`near=0,0&radius=${radius}&loc=${city}`);
    expect(await near(0)).toEqual(['0', '1', '2']);
    const [smallest, unrounded] = [Number.MIN_VALUE, Number(tiny)];
    for (const [lat, lon] of [
      [smallest, -smallest],
      [unrounded, 0],
      [0, -unrounded],
    ]) {
      await harness.source.query('UPDATE events SET lat = $2, lon = $3 WHERE id = ANY($1)', [
        ...[ids, lat, lon],
      ]);
      expect(await near(1)).toEqual(['0', '1', '2']);
    }
    await harness.source.query('DELETE FROM events WHERE id = ANY($1)', [ids]);
  });

  it('near uses the index', async () => {
    const { id: city } = await make.aCity();
    await make.events(owner, city, 2000, (at) => ({ geo: `${at / 100} ${at / 50}` }));
    await harness.source.query('ANALYZE events');
    const rows = await harness.source.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN SELECT 1 FROM events e
       WHERE e.lat IS NOT NULL AND point(e.lon, e.lat) <@ box '((3,3),(2,2))'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_by_coordinates');
  });
});
