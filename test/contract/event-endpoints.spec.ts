import { type Route } from '../../src/api/routing/route-table';
import { City } from '../../src/cities/cities.resources';
import { Event, EventUser } from '../../src/events/events.resources';
import {
  EVENT_CALENDARS,
  EVENT_GETS,
  EVENT_VALUES,
  EVENT_WRITES,
  type EventGet,
} from './event-endpoints';
import { CITY, EVENT, EVENT_USER } from './event-shapes';
import { walkService } from './routes';
import { shapeOf } from './shape';

let routes: readonly Route[];
beforeAll(async () => {
  const all = (await walkService()).routes;
  routes = all.filter(({ area }) => area === 'event' || area === 'loc');
});

const routeOf = (method: string, path: string): Route => {
  const found = routes.filter((route) => route.method === method && route.path === path);
  expect(found).toHaveLength(1);
  return found[0] as Route;
};
const namesIn = (route: Route, place: string): string[] =>
  route.parameters.filter((one) => one.in === place).map(({ name }) => name);

describe('routes of events and cities (specification section 4.4)', () => {
  it('are those of the contract table, and the calendars', () => {
    const expected = [
      ...EVENT_GETS.map(({ path }) => `GET ${path}`),
      ...EVENT_CALENDARS.map((path) => `GET ${path}`),
      ...EVENT_WRITES.map(({ method, path }) => `${method} ${path}`),
    ];
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(expected.sort());
  });

  it.each(EVENT_GETS)('GET $path returns 200 with $shape $member', ({ path, shape, member }) => {
    const route = routeOf('GET', path);
    expect(route).toMatchObject({
      ...{ scope: 'event_basic_r', tiers: undefined, login: false, fields: false, status: 200 },
      response: {
        kind: member === undefined ? 'one' : 'list',
        resource: { name: shape },
        ...(member === undefined ? {} : { member, extra: {} }),
      },
    });
  });

  it.each(EVENT_GETS)('GET $path has exactly the parameters of the table', (row: EventGet) => {
    const route = routeOf('GET', row.path);
    const paging = row.member === undefined ? [] : ['start', 'count'];
    expect(namesIn(route, 'query').sort()).toEqual([...(row.query ?? []), ...paging].sort());
    expect(route.parameters.filter((one) => one.required && one.in !== 'path')).toEqual([]);
    expect(route.numeric).toEqual(row.path.includes(':id') ? ['id'] : []);
  });

  it.each(Object.entries(EVENT_VALUES))('%s has the values of the table', (name, values) => {
    const taking = routes.filter((route) => namesIn(route, 'query').includes(name));
    expect(taking.length).toBeGreaterThan(0);
    for (const { parameters } of taking) {
      const words = parameters.find((one) => one.name === name)?.schema.enum as string[];
      expect([...words].sort()).toEqual([...values].sort());
    }
  });

  it.each(EVENT_CALENDARS)('GET %s is a calendar, with the access of the other reads', (path) => {
    expect(routeOf('GET', path)).toMatchObject({
      ...{ scope: 'event_basic_r', login: false, status: 200 },
      response: { kind: 'file', type: 'text/calendar; charset=utf-8' },
    });
  });

  it.each(EVENT_WRITES)('$method $path needs a user and returns 202', ({ method, path, body }) => {
    const route = routeOf(method, path);
    expect(route).toMatchObject({ scope: 'event_basic_w', login: true, status: 202 });
    expect(namesIn(route, 'body')).toEqual(body);
    expect(route.parameters.filter((one) => one.required && one.in !== 'path')).toEqual([]);
  });
});

describe('shapes of events and cities', () => {
  it('are those of sections 2.10 and 2.11', () => {
    expect(shapeOf(Event)).toEqual(EVENT);
    expect(shapeOf(EventUser)).toEqual(EVENT_USER);
    expect(shapeOf(City)).toEqual(CITY);
  });

  it('have their members in the order of the specification', () => {
    expect(Object.keys(Event.fields)).toEqual(Object.keys(EVENT));
    expect(Object.keys(EventUser.fields)).toEqual(Object.keys(EVENT_USER));
    expect(Object.keys(City.fields)).toEqual(Object.keys(CITY));
  });
});
