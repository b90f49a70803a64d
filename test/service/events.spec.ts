import { EVENT_GETS, EVENT_VALUES, EVENT_WRITES } from '../contract/event-endpoints';
import { CITY, EVENT, EVENT_USER } from '../contract/event-shapes';
import { unique } from './client';
import { expectError, expectList, expectShape, itCallsAll } from './expectations';
import { ROUTES } from './routes';
import { Stage, USUAL_SCOPES, type Member } from './stage';

const word = unique();
const DAY = 24 * 3600 * 1000;
/** A time `days` from now, in the format of the API. */
const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY).toISOString().slice(0, 19).replace('T', ' ');

const stage = new Stage();
let owner: Member;
let guest: Member;
let city: string;
/** Events: ongoing, ended, future, and visible to invited users only. */
let now: string;
let over: string;
let later: string;
let hidden: string;
let invited: string;
beforeAll(async () => {
  [owner, guest] = await stage.twoMembers();
  city = await stage.make('/locs', { name: `City ${word}`, uid: word, time_zone: 'Asia/Tokyo' });
  const make = (title: string, from: number, to: number, more: object = {}) =>
    stage.make('/events', {
      title: `${title} ${word}`,
      begin_time: inDays(from),
      end_time: inDays(to),
      loc_id: city,
      owner_id: owner.id,
      geo: '12.5 77.25',
      ...more,
    });
  now = await make('Now', -2, 20, { category: 'music' });
  over = await make('Over', -30, -20, { category: 'film' });
  later = await make('Later', 60, 61, { category: 'chess', geo: '-33.5 151.25' });
  hidden = await make('Hidden', -2, 20, { is_priv: 'yes' });
  invited = await make('Invited', -30, -20, { is_priv: 'yes', invited: [guest.id] });
});
afterAll(() => stage.close());

const idsOf = (all: { id: string }[]): string[] => all.map(({ id }) => id).sort();
const list = async (query: string): Promise<string[]> => {
  const path = `/v2/event/list?loc=${word}&${query}`;
  return idsOf(expectList(await guest.get(path), 'events', EVENT));
};
const addressOf = (path: string): string => {
  const id = path.includes('/loc/') ? city : path.includes('user_') ? guest.id : now;
  return path.replace(':id', id);
};

describe('events', () => {
  it('200: an event has every member (section 2.10)', async () => {
    const body = expectShape(await guest.get(`/v2/event/${now}`), 200, EVENT);
    expect(body).toMatchObject({
      id: now,
      title: `Now ${word}`,
      geo: '12.5 77.25',
      loc_id: city,
      loc_name: `City ${word}`,
      is_priv: 'no',
      owner: { id: owner.id, uid: owner.uid },
      participant_count: 0,
    });
  });

  it('200: events are filtered by city, day, type and place (section 4.4, D39)', async () => {
    const open = [now, later].sort();
    for (const [query, found] of [
      ['', open],
      ['type=all', open],
      ['type=music', [now]],
      ['type=10', [now]],
      ['type=others', [later]],
      ['type=film', []],
      ['near=12.5,77.25', [now]],
      ['near=12.5,77.25&radius=1', [now]],
      ['day_type=future', open],
      ['day_type=today', [now]],
      ['day_type=tomorrow', [now]],
      ['day_type=week', [now]],
      ['day_type=weekend', [now]],
    ] as const) {
      expect([query, await list(query)]).toEqual([query, found]);
    }
    const { body } = await guest.get(`/v2/event/list?loc=${city}&start=1&count=1`);
    expect([body.start, body.count, body.total, body.events[0].id]).toEqual([1, 1, 2, later]);
  });

  it.each(Object.entries(EVENT_VALUES))(
    '200, 400: %s accepts its listed values only',
    async (...row) => {
      const [name, values] = row;
      const path = name === 'status' ? `/v2/event/user_wished/${guest.id}` : '/v2/event/list';
      for (const value of values) {
        expectList(await guest.get(`${path}?${name}=${value}`), 'events', EVENT);
      }
      expectError(await guest.get(`${path}?${name}=nonsense`), 400, 999);
    },
  );

  it('404: a private event is visible to its owner and invited users only (1001)', async () => {
    for (const path of ['', '/participants', '/wishers', '.ics']) {
      expectError(await guest.get(`/v2/event/${hidden}${path}`), 404, 1001);
    }
    expectError(await guest.send('POST', `/v2/event/${hidden}/wishers`), 404, 1001);
    const flags = { is_priv: 'yes', has_invited: 'no', can_invite: 'no' };
    expect((await owner.get(`/v2/event/${hidden}`)).body).toMatchObject(flags);
    const shown = (await guest.get(`/v2/event/${invited}`)).body;
    expect(shown).toMatchObject({ ...flags, has_invited: 'yes' });
  });

  it('200: an event and a list are available as calendars (RFC 5545)', async () => {
    for (const path of [`${now}.ics`, `list.ics?loc=${word}`]) {
      const { status, headers, text } = await guest.get(`/v2/event/${path}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
      expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
      expect(text).toContain(`SUMMARY:Now ${word}`);
    }
  });
});

describe.each([
  { what: 'participants', lists: 'user_participated', count: 'participant_count' },
  { what: 'wishers', lists: 'user_wished', count: 'wisher_count' },
])('$what', ({ what, lists, count }) => {
  const join = (method: string, id = now, fields = {}) =>
    guest.send(method, `/v2/event/${id}/${what}`, fields);
  const mine = async (query = ''): Promise<string[]> => {
    const path = `/v2/event/${lists}/${guest.id}${query}`;
    return idsOf(expectList(await owner.get(path), 'events', EVENT));
  };

  it('202: joining and leaving may be repeated (section 3, D38)', async () => {
    const seen = async (): Promise<unknown[]> => {
      const all = await owner.get(`/v2/event/${now}/${what}`);
      const users = expectList(all, 'users', EVENT_USER);
      return [idsOf(users), (await owner.get(`/v2/event/${now}`)).body[count]];
    };
    for (const [method, after] of [
      ['POST', [[guest.id], 1]],
      ['POST', [[guest.id], 1]],
      ['DELETE', [[], 0]],
      ['DELETE', [[], 0]],
    ] as const) {
      const { status, body } = await join(method);
      expect([status, body, await seen()]).toEqual([202, {}, after]);
    }
  });

  it('200: events of a user are listed by status: ongoing and expired', async () => {
    for (const id of [now, over]) expect((await join('POST', id)).status).toBe(202);
    expect(await mine()).toEqual([now, over].sort());
    expect(await mine('?status=ongoing')).toEqual([now]);
    expect(await mine('?status=expired')).toEqual([over]);
    for (const id of [now, over]) await join('DELETE', id);
    expect(await mine()).toEqual([]);
  });
});

it('202, 400: participate_date must be a date that exists', async () => {
  const join = (participate_date: string) =>
    guest.send('POST', `/v2/event/${now}/participants`, { participate_date });
  expect((await join('2030-02-28')).status).toBe(202);
  for (const day of ['2030-02-30', 'tomorrow']) expectError(await join(day), 400, 999);
  await guest.send('DELETE', `/v2/event/${now}/participants`);
});

it('200: events that a user created are listed, private ones excluded', async () => {
  const path = `/v2/event/user_created/${owner.id}`;
  const created = idsOf(expectList(await guest.get(path), 'events', EVENT));
  expect(created).toEqual(expect.arrayContaining([now, later]));
  expect(created).not.toContain(hidden);
});

describe('cities', () => {
  it('200: a city is returned by id and in the list of cities (section 2.11)', async () => {
    const body = expectShape(await guest.get(`/v2/loc/${city}`), 200, CITY);
    expect(body).toMatchObject({ id: city, uid: word, name: `City ${word}`, habitable: 'yes' });
    // Other tests create and delete cities while the pages are read.
    await stage.service.until(async () => {
      for (let start = 0; ; start += 100) {
        const path = `/v2/loc/list?count=100&start=${start}`;
        const page = expectList(await guest.get(path), 'locs', CITY);
        if (page.some(({ id }) => id === city)) return true;
        if (page.length === 0) return false;
      }
    });
  });
});

describe('every endpoint of events and cities', () => {
  it('403: rejects a token without the scope (1000)', async () => {
    const client = await stage.approved(owner, []);
    const scopes = USUAL_SCOPES.filter((scope) => !scope.startsWith('event_'));
    const without = await stage.member(owner, client, scopes);
    for (const { path } of EVENT_GETS) {
      expectError(await without.get(addressOf(path)), 403, 1000);
    }
    for (const { method, path } of EVENT_WRITES) {
      expectError(await without.send(method, addressOf(path)), 403, 1000);
      expectError(await stage.nobody(method, addressOf(path)), 403, 1000);
    }
  });

  it('404: rejects unknown ids (1001)', async () => {
    const reads = EVENT_GETS.map(({ path }) => ({ method: 'GET', path }));
    for (const { method, path } of [...reads, ...EVENT_WRITES]) {
      if (!path.includes(':id')) continue;
      const response = await guest.send(method, path.replace(':id', '999999999999'));
      expectError(response, 404, 1001);
    }
    expectError(await guest.get(`/v2/event/list?loc=nowhere${word}`), 404, 1001);
  });

  it.each(EVENT_GETS.filter(({ member }) => member !== undefined))(
    '400: $path rejects malformed pages',
    async ({ path }) => {
      for (const query of ['start=-1', 'count=x']) {
        expectError(await guest.get(`${addressOf(path)}?${query}`), 400, 999);
      }
    },
  );
});

itCallsAll(ROUTES.events, stage.service);
