import { type Route } from '../../src/api/route-table';
import { walkService } from './routes';

const RECORDS = ['books', 'subjects', 'celebrities', 'photos', 'events', 'locs', 'series'];

/** Method, path below /admin/v1 and status of success. */
const ADMIN: readonly (readonly [string, string, number])[] = [
  ['GET', '/applications', 200],
  ['GET', '/applications/:clientId', 200],
  ['POST', '/applications/:clientId/approve', 200],
  ['POST', '/applications/:clientId/decline', 200],
  ['POST', '/applications/:clientId/suspend', 200],
  ['POST', '/applications/:clientId/block', 200],
  ['POST', '/applications/:clientId/unblock', 200],
  ['PUT', '/applications/:clientId/limit', 202],
  ['DELETE', '/applications/:clientId/limit', 202],
  ['GET', '/users', 200],
  ['GET', '/users/:id', 200],
  ['POST', '/users/:id/block', 200],
  ['POST', '/users/:id/unblock', 200],
  ['PUT', '/users/:id/role', 202],
  ['GET', '/limits', 200],
  ['GET', '/limits/:name', 200],
  ['PUT', '/limits/:name', 202],
  ['DELETE', '/limits/:name', 202],
  ['GET', '/audit', 200],
  ...RECORDS.flatMap((name): [string, string, number][] => [
    ['GET', `/${name}`, 200],
    ['GET', `/${name}/:id`, 200],
    ['POST', `/${name}`, 201],
    ['PUT', `/${name}/:id`, 202],
    ['DELETE', `/${name}/:id`, 204],
  ]),
  ['GET', '/charts', 200],
  ['GET', '/charts/:id', 200],
  ['PUT', '/charts/:name', 202],
  ['POST', '/charts/:name/compute', 200],
  ['DELETE', '/charts/:id', 204],
  ['GET', '/showings', 200],
  ['POST', '/showings', 201],
  ['DELETE', '/showings/:id', 204],
  ['GET', '/words', 200],
  ['POST', '/words', 201],
  ['PUT', '/words/:id', 202],
  ['DELETE', '/words/:id', 204],
  ['GET', '/held', 200],
  ['GET', '/held/:id', 200],
  ['POST', '/held/:id/release', 200],
  ['POST', '/held/:id/reject', 200],
  ['GET', '/jobs', 200],
  ['GET', '/jobs/:id', 200],
  ['POST', '/jobs', 201],
  ['POST', '/jobs/:id/cancel', 200],
  ['GET', '/jobs/:id/report', 200],
  ['GET', '/reports', 200],
  ['GET', '/reports/:id', 200],
  ['POST', '/reports/:id/resolve', 200],
];

const PREFIX = '/admin/v1';
let routes: readonly Route[];
beforeAll(async () => {
  routes = (await walkService()).routes.filter(({ path }) => path.startsWith('/admin'));
});

describe('the administration API', () => {
  it('has these routes, with these statuses', () => {
    const known = routes.map(({ method, path, status }) => `${method} ${path} ${status}`);
    const wanted = ADMIN.map(([method, path, status]) => `${method} ${PREFIX}${path} ${status}`);
    expect(known.sort()).toEqual(wanted.sort());
  });

  it('asks for the scope admin and a user, everywhere, under a tag of its own', () => {
    const open = routes.filter(
      ({ scope, login, area, tiers }) =>
        scope !== 'admin' || !login || area !== 'admin' || tiers !== undefined,
    );
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('is the only place for the scope admin', async () => {
    const all = (await walkService()).routes.filter(({ scope }) => scope === 'admin');
    expect(all.filter(({ path }) => !path.startsWith(`${PREFIX}/`))).toEqual([]);
  });

  it('has lists that are paged', () => {
    const lists = routes.filter(({ answer }) => answer.kind === 'list');
    expect(lists).toHaveLength(18);
    for (const { path, parameters } of lists) {
      const names = parameters.map(({ name }) => name);
      expect([path, names]).toEqual([path, expect.arrayContaining(['start', 'count'])]);
    }
  });
});
