import { type Row } from './matrix.routes';

/** An id that no record has. */
const NONE = '4711000';

const admin = (route: string, ...inside: Row['inside']): Row => {
  const path = route.split(' ')[1] ?? '';
  const address = path
    .replace(':id', NONE)
    .replace(':clientId', 'nobody')
    .replace('charts/:name', 'charts/top250')
    .replace(':name', 'NOTHING');
  const [method = ''] = route.split(' ');
  return {
    route: `${method} /admin/v1/${path}`,
    kind: 'admin',
    scope: 'admin',
    address: `/admin/v1/${address}`,
    inside,
  };
};

/** Routes of a record type; the writes send no body. */
const records = (name: string): Row[] => [
  admin(`GET ${name}`, 200),
  admin(`GET ${name}/:id`, 404, 1001),
  admin(`POST ${name}`, 400, 1002),
  admin(`PUT ${name}/:id`, 404, 1001),
  admin(`DELETE ${name}/:id`, 404, 1001),
];

/** Every route of the administration API. */
export const ADMIN: readonly Row[] = [
  admin('GET applications', 200),
  admin('GET applications/:clientId', 404, 1001),
  admin('POST applications/:clientId/approve', 400, 999),
  admin('POST applications/:clientId/decline', 400, 999),
  admin('POST applications/:clientId/suspend', 400, 999),
  admin('POST applications/:clientId/block', 400, 1002),
  admin('POST applications/:clientId/unblock', 404, 1001),
  admin('PUT applications/:clientId/limit', 400, 1002),
  admin('DELETE applications/:clientId/limit', 404, 1001),
  admin('GET users', 200),
  admin('GET users/:id', 404, 1001),
  admin('POST users/:id/block', 404, 1001),
  admin('POST users/:id/unblock', 404, 1001),
  admin('PUT users/:id/role', 400, 1002),
  admin('GET limits', 200),
  admin('GET limits/:name', 404, 1001),
  admin('PUT limits/:name', 400, 1002),
  admin('DELETE limits/:name', 404, 1001),
  admin('GET audit', 200),
  ...['books', 'subjects', 'celebrities', 'photos', 'events', 'locs'].flatMap(records),
  ...['books', 'subjects'].flatMap((name) => [
    admin(`GET ${name}/:id/merge`, 400, 1002),
    admin(`POST ${name}/:id/merge`, 400, 1002),
  ]),
  admin('GET series', 200),
  admin('GET series/:id', 404, 1001),
  admin('POST series', 400, 1002),
  admin('PUT series/:id', 400, 1002),
  admin('DELETE series/:id', 404, 1001),
  admin('GET charts', 200),
  admin('GET charts/:id', 404, 1001),
  admin('PUT charts/:name', 400, 1002),
  admin('POST charts/:name/compute', 400, 1002),
  admin('DELETE charts/:id', 404, 1001),
  admin('GET showings', 200),
  admin('POST showings', 400, 1002),
  admin('DELETE showings/:id', 404, 1001),
  admin('GET words', 200),
  admin('POST words', 400, 1002),
  admin('PUT words/:id', 400, 1002),
  admin('DELETE words/:id', 404, 1001),
  admin('GET moderation/queue', 200),
  admin('GET moderation/queue/:id', 404, 1001),
  admin('POST moderation/queue/:id/release', 404, 1001),
  admin('POST moderation/queue/:id/reject', 404, 1001),
  admin('GET jobs', 200),
  admin('GET jobs/:id', 404, 1001),
  admin('POST jobs', 400, 1002),
  admin('POST jobs/:id/cancel', 404, 1001),
  admin('GET jobs/:id/report', 404, 1001),
  admin('GET reports', 200),
  admin('GET reports/:id', 404, 1001),
  admin('POST reports/:id/resolve', 400, 1002),
];
