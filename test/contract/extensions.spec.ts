import { type Route } from '../../src/api/routing/route-table';
import { BOOK_GETS, BOOK_WRITES } from './book-endpoints';
import { EVENT_CALENDARS, EVENT_GETS, EVENT_WRITES } from './event-endpoints';
import { EXTENSIONS, SERVICE_EXTENSIONS } from './extensions';
import { MOVIE_GETS } from './movie-endpoints';
import { NOTE_ENDPOINTS } from './note-endpoints';
import { walkService } from './routes';

let routes: readonly Route[];
beforeAll(async () => {
  routes = (await walkService()).routes.filter(({ extension }) => extension);
});

describe('extensions (D51)', () => {
  it('are these, calendars, and routes of the service', () => {
    const gets = [...EXTENSIONS.map(({ path }) => path), ...EVENT_CALENDARS];
    const expected = [...gets.map((path) => `GET ${path}`), ...SERVICE_EXTENSIONS];
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(expected.sort());
  });

  it('are all that is added: the tables of the specification do not grow', () => {
    const tables = [BOOK_GETS, BOOK_WRITES, NOTE_ENDPOINTS, MOVIE_GETS, EVENT_GETS, EVENT_WRITES];
    expect(tables.map(({ length }) => length)).toEqual([12, 9, 12, 14, 9, 4]);
  });

  it.each(EXTENSIONS)('GET $path has its access, parameters and shape', (row) => {
    const route = routes.find(({ path }) => path === row.path);
    expect(route).toMatchObject({
      scope: row.scope,
      tiers: row.tiers,
      login: row.login ?? false,
      fields: row.fields ?? false,
      status: 200,
      response: {
        kind: row.member === undefined ? 'one' : 'list',
        resource: { name: row.shape },
        ...(row.member === undefined ? {} : { member: row.member }),
      },
    });
    const query = (route?.parameters ?? []).filter((parameter) => parameter.in === 'query');
    expect(query.map(({ name }) => name)).toEqual(row.query);
  });
});
