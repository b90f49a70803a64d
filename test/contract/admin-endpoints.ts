/** Kinds of records with the same five routes. */
export const RECORDS = ['books', 'subjects', 'celebrities', 'photos', 'events', 'locs', 'series'];

/** Method, path below /admin/v1, status of success, and the command that does the same. */
type Row = readonly [method: string, path: string, status: number, command: string];
export const ADMIN_ENDPOINTS: readonly Row[] = [
  ['GET', '/applications', 200, 'app list'],
  ['GET', '/applications/:clientId', 200, 'app show'],
  ['POST', '/applications/:clientId/approve', 200, 'app approve'],
  ['POST', '/applications/:clientId/decline', 200, 'app decline'],
  ['POST', '/applications/:clientId/suspend', 200, 'app suspend'],
  ['POST', '/applications/:clientId/block', 200, 'app block'],
  ['POST', '/applications/:clientId/unblock', 200, 'app unblock'],
  ['PUT', '/applications/:clientId/limit', 202, 'app limit'],
  ['DELETE', '/applications/:clientId/limit', 202, 'app limit'],
  ['GET', '/users', 200, 'user list'],
  ['GET', '/users/:id', 200, 'user show'],
  ['POST', '/users/:id/block', 200, 'user block'],
  ['POST', '/users/:id/unblock', 200, 'user unblock'],
  ['PUT', '/users/:id/role', 202, 'user role'],
  ['GET', '/limits', 200, 'limit list'],
  ['GET', '/limits/:name', 200, 'limit show'],
  ['PUT', '/limits/:name', 202, 'limit set'],
  ['DELETE', '/limits/:name', 202, 'limit reset'],
  ['GET', '/audit', 200, 'audit list'],
  ...RECORDS.flatMap((name): Row[] => [
    ['GET', `/${name}`, 200, 'record list'],
    ['GET', `/${name}/:id`, 200, 'record show'],
    ['POST', `/${name}`, 201, 'record put'],
    ['PUT', `/${name}/:id`, 202, 'record put'],
    ['DELETE', `/${name}/:id`, 204, 'record remove'],
  ]),
  ...['books', 'subjects'].flatMap((name): Row[] => [
    ['GET', `/${name}/:id/merge`, 200, 'record merge'],
    ['POST', `/${name}/:id/merge`, 200, 'record merge'],
  ]),
  ['GET', '/charts', 200, 'chart list'],
  ['GET', '/charts/:id', 200, 'chart show'],
  ['PUT', '/charts/:name', 202, 'chart write'],
  ['POST', '/charts/:name/compute', 200, 'chart compute'],
  ['DELETE', '/charts/:id', 204, 'chart remove'],
  ['GET', '/showings', 200, 'showing list'],
  ['POST', '/showings', 201, 'showing write'],
  ['DELETE', '/showings/:id', 204, 'showing remove'],
  ['GET', '/words', 200, 'word list'],
  ['POST', '/words', 201, 'word add'],
  ['PUT', '/words/:id', 202, 'word add'],
  ['DELETE', '/words/:id', 204, 'word remove'],
  ['GET', '/moderation/queue', 200, 'moderation list'],
  ['GET', '/moderation/queue/:id', 200, 'moderation show'],
  ['POST', '/moderation/queue/:id/release', 200, 'moderation release'],
  ['POST', '/moderation/queue/:id/reject', 200, 'moderation reject'],
  ['GET', '/jobs', 200, 'job list'],
  ['GET', '/jobs/:id', 200, 'job show'],
  ['POST', '/jobs', 201, 'job start'],
  ['POST', '/jobs/:id/cancel', 200, 'job cancel'],
  ['GET', '/jobs/:id/report', 200, 'job report'],
  ['GET', '/reports', 200, 'report list'],
  ['GET', '/reports/:id', 200, 'report show'],
  ['POST', '/reports/:id/resolve', 200, 'report resolve'],
];

/** Commands that do what the administration API does. */
export const COMMANDS: readonly string[] = [
  ...new Set(ADMIN_ENDPOINTS.map(([, , , command]) => command)),
];
