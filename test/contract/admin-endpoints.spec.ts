import { type Route } from '../../src/api/routing/route-table';
import { ADMIN_ENDPOINTS } from './admin-endpoints';
import { walkService } from './routes';

const PREFIX = '/admin/v1';
let routes: readonly Route[];

/** All but the OpenAPI document, which anybody may read. */
const protectedRoutes = (): Route[] =>
  routes.filter(({ path }) => path !== `${PREFIX}/openapi.json`);

beforeAll(async () => {
  routes = (await walkService()).routes.filter(({ path }) => path.startsWith(`${PREFIX}/`));
});

describe('the administration API', () => {
  it('has the endpoints of the contract table, with their statuses', () => {
    const documented = protectedRoutes().map(
      ({ method, path, status }) => `${method} ${path} ${status}`,
    );
    const wanted = ADMIN_ENDPOINTS.map(
      ([method, path, status]) => `${method} ${PREFIX}${path} ${status}`,
    );
    expect(documented.sort()).toEqual(wanted.sort());
  });

  it('requires the scope admin and a user on every route, with a tag of its own', () => {
    const open = protectedRoutes().filter(
      ({ scope, login, area, tiers }) =>
        scope !== 'admin' || !login || area !== 'admin' || tiers !== undefined,
    );
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('is the only user of the scope admin', async () => {
    const all = (await walkService()).routes.filter(({ scope }) => scope === 'admin');
    expect(all.filter(({ path }) => !path.startsWith(`${PREFIX}/`))).toEqual([]);
  });

  it('has paged lists', () => {
    const lists = routes.filter(({ response }) => response.kind === 'list');
    expect(lists).toHaveLength(18);
    for (const { path, parameters } of lists) {
      const names = parameters.map(({ name }) => name);
      expect([path, names]).toEqual([path, expect.arrayContaining(['start', 'count'])]);
    }
  });
});
