import { type Route } from '../../src/api/routing/route-table';
import * as pages from '../../src/api/resources/page';
import { BOOK_GETS, BOOK_WRITES, DEFAULT_COUNT, MAX_COUNT, type BookGet } from './book-endpoints';
import { walkService } from './routes';

let routes: readonly Route[];
beforeAll(async () => {
  routes = (await walkService()).routes.filter(({ extension }) => !extension);
});

const routeOf = ({ path }: BookGet): Route => {
  const found = routes.filter((route) => route.method === 'GET' && route.path === path);
  expect(found).toHaveLength(1);
  return found[0] as Route;
};

describe('GETs of the book area (specification section 4.1)', () => {
  it('are those of the contract table', () => {
    const declared = routes.filter(({ area, method }) => area === 'book' && method === 'GET');
    expect(declared.map(({ path }) => path).sort()).toEqual(
      BOOK_GETS.map(({ path }) => path).sort(),
    );
  });

  it.each(BOOK_GETS)('$path needs the scope $scope and no tier', (row) => {
    expect(routeOf(row)).toMatchObject({ scope: row.scope, tiers: undefined });
  });

  it.each(BOOK_GETS)('$path returns 200 with $shape $member', (row) => {
    const { response, status } = routeOf(row);
    expect(status).toBe(200);
    expect(response).toMatchObject({
      kind: row.member === undefined ? 'one' : 'list',
      resource: { name: row.shape },
      ...(row.member === undefined ? {} : { member: row.member, extra: {} }),
    });
  });

  it.each(BOOK_GETS)('$path has exactly the parameters of the table', (row) => {
    const names = routeOf(row)
      .parameters.filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    const paging = row.member === undefined ? [] : ['start', 'count'];
    expect(names).toEqual(expect.arrayContaining([...(row.query ?? []), ...paging]));
    expect(names.includes('count')).toBe(row.member !== undefined);
  });

  it.each(BOOK_GETS)('$path has no required parameter', (row) => {
    const required = routeOf(row).parameters.filter((parameter) => parameter.required);
    expect(required.filter((parameter) => parameter.in !== 'path')).toEqual([]);
  });

  it.each(BOOK_GETS)('$path restricts its wildcards to their characters (section 1)', (row) => {
    const { numeric, named } = routeOf(row);
    expect(numeric).toEqual(row.path.includes(':id') ? ['id'] : []);
    expect(named).toEqual(row.path.includes(':name') ? ['name'] : []);
  });
});

describe('writes of the book area (specification section 4.1)', () => {
  it('are those of the contract table', () => {
    const declared = routes.filter(({ area, method }) => area === 'book' && method !== 'GET');
    const keys = declared.map(({ method, path }) => `${method} ${path}`);
    expect(keys.sort()).toEqual(BOOK_WRITES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each(BOOK_WRITES)('$method $path needs a user and $scope, and returns $status', (row) => {
    const route = routes.find(({ method, path }) => method === row.method && path === row.path);
    const { scope, status } = row;
    expect(route).toMatchObject({ scope, status, login: true, tiers: undefined });
    const name = route?.response.kind === 'one' ? route.response.resource.name : undefined;
    expect(name).toBe(row.shape);
  });
});

describe('lists (D3)', () => {
  it.each(BOOK_GETS.filter(({ member }) => member !== undefined))(
    '$path has 20 elements by default, from 0',
    (row) => {
      const schemas = Object.fromEntries(
        routeOf(row).parameters.map(({ name, schema }) => [name, schema]),
      );
      expect(schemas.start).toMatchObject({ type: 'integer', minimum: 0, default: 0 });
      expect(schemas.count).toEqual({ type: 'integer', minimum: 0, default: DEFAULT_COUNT });
    },
  );

  it('have at most 100 elements', () => {
    expect(pages.MAX_COUNT).toBe(MAX_COUNT);
  });
});

describe('`fields` (specification section 1, D7)', () => {
  it('is accepted by the GETs of the book area only', () => {
    const taking = routes.filter(({ fields }) => fields).map(({ path }) => path);
    expect(taking.sort()).toEqual(BOOK_GETS.map(({ path }) => path).sort());
  });
});

describe('deprecation (specification section 9)', () => {
  it('is announced exactly where the specification says so', () => {
    const announced = routes.filter(({ deprecation }) => deprecation).map(({ path }) => path);
    const expected = BOOK_GETS.filter(({ deprecated }) => deprecated).map(({ path }) => path);
    expect(announced).toEqual(expected);
  });

  it('names the successor', () => {
    const [route] = routes.filter(({ path }) => path === '/v2/book/user_tags/:id');
    expect(route?.deprecation?.successor).toMatch(/^\/v2\/book\/user\/:\w+\/tags$/);
  });
});

describe('every route', () => {
  it('of the interface starts with /v2/ (specification section 9)', () => {
    const scoped = routes.filter(({ scope }) => scope !== null && scope !== 'admin');
    expect(scoped.filter(({ path }) => !path.startsWith('/v2/'))).toEqual([]);
    expect(scoped.length).toBeGreaterThanOrEqual(BOOK_GETS.length);
  });

  it('is declared once', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is public only outside of the API', () => {
    const open = routes.filter(({ scope }) => scope === null).map(({ path }) => path);
    const areas = /^\/v2\/(book|notes?|movie|event|loc)(\/|$)/;
    expect(open.filter((path) => areas.test(path))).toEqual([]);
  });
});
