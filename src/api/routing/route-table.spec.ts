import { fitsWildcard, RouteTable, type Route } from './route-table';

describe('fitsWildcard (specification section 1)', () => {
  it.each(['0', '1', '007', '9'.repeat(100)])('accepts %s as :id', (value) => {
    expect(fitsWildcard('id', value)).toBe(true);
  });

  it.each(['', 'a', '1a', '-1', '+1', '1.0', '1e3', ' 1', '1\n', '１', '\u0661', '1/2'])(
    'rejects "%s" as :id',
    (value) => {
      expect(fitsWildcard('id', value)).toBe(false);
    },
  );

  it.each(['a', 'Z', '0', '-', '_', '.', 'a.B-c_1', '..'])('accepts %s as :name', (value) => {
    expect(fitsWildcard('name', value)).toBe(true);
  });

  it.each(['', ' ', 'a b', 'a/b', 'a+b', '围城', 'é', 'a\n', 'a@b', '*', '%41', 'a\u0000'])(
    'rejects "%s" as :name',
    (value) => {
      expect(fitsWildcard('name', value)).toBe(false);
    },
  );
});

describe('RouteTable', () => {
  const table = new RouteTable();
  const route = (method: string, path: string, numeric: string[], named: string[]): Route => ({
    method,
    path,
    handlerName: `${method} ${path}`,
    scope: null,
    tiers: undefined,
    login: false,
    secure: false,
    free: false,
    fields: false,
    response: { kind: 'empty' },
    status: 200,
    parameters: [],
    errors: [],
    oauthErrors: false,
    deprecation: undefined,
    summary: undefined,
    extension: false,
    operationId: undefined,
    expensive: undefined,
    uploads: undefined,
    cache: undefined,
    area: 'book',
    numeric,
    merging: [],
    named,
  });
  const routes = [
    route('GET', '/v2/book/:id', ['id'], []),
    route('POST', '/v2/book/:id/collection', ['id'], []),
    route('DELETE', '/v2/book/:id/collection', ['id'], []),
    route('GET', '/v2/book/user/:name/tags', [], ['name']),
    route('GET', '/v2/a.b', [], []),
  ];
  const handlers = routes.map(() => () => undefined);
  routes.forEach((known, at) => {
    table.add(handlers[at], known);
  });

  it.each([
    ['/v2/book/1', ['GET', 'HEAD']],
    ['/v2/book/1/', ['GET', 'HEAD']],
    ['/v2/book/%31', ['GET', 'HEAD']],
    ['/v2/book/1/collection', ['DELETE', 'POST']],
    ['/v2/book/user/a.b-c_d/tags', ['GET', 'HEAD']],
    ['/v2/a.b', ['GET', 'HEAD']],
    ['/v2/axb', []],
    ['/v2/book/abc', []],
    ['/v2/book/1/2', []],
    ['/v2/book/', []],
    ['/v2/book/user/a%20b/tags', []],
    ['/v2/book/%zz', []],
    ['/V2/book/1', []],
    ['/x/v2/book/1', []],
    ['', []],
  ])('returns the methods of %s: %j', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });

  it('finds the route of a registered handler, and throws for any other function', () => {
    expect(table.of(handlers[1])).toBe(routes[1]);
    expect(() => table.of(() => undefined)).toThrow();
    expect(table.routes).toEqual(routes);
  });
});
