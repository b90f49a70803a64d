import { ADMIN_ENDPOINTS, RECORDS } from '../contract/admin-endpoints';
import { BOOK_GETS, BOOK_WRITES } from '../contract/book-endpoints';
import { EVENT_CALENDARS, EVENT_GETS, EVENT_WRITES } from '../contract/event-endpoints';
import { EXTENSIONS } from '../contract/extensions';
import { MOVIE_GETS } from '../contract/movie-endpoints';
import { NOTE_ENDPOINTS } from '../contract/note-endpoints';

/** A route: method, path with wildcards as `:name`, status of success. */
export type RouteRow = readonly [method: string, path: string, status: number];

const gets = (rows: readonly { readonly path: string }[]): RouteRow[] =>
  rows.map(({ path }) => ['GET', path, 200]);

const extensionsOf = (area: string): RouteRow[] =>
  gets(EXTENSIONS.filter(({ path }) => path.startsWith(`/v2/${area}/`)));

const BOOKS = [
  ...gets(BOOK_GETS),
  ...extensionsOf('book'),
  ...BOOK_WRITES.map(({ method, path, status }): RouteRow => [method, path, status]),
];

export const ADMIN = ADMIN_ENDPOINTS.map(([method, path, status]): RouteRow => [
  method,
  `/admin/v1${path}`,
  status,
]);
const CATALOGUE = new RegExp(`/(${[...RECORDS, 'charts', 'showings'].join('|')})(/|$)`);

/** The routes that each file requests: together, all routes of the OpenAPI documents. */
export const ROUTES = {
  books: BOOKS.filter(([, path]) => !/annotation|review/.test(path)),
  writing: BOOKS.filter(([, path]) => /annotation|review/.test(path)),
  notes: [
    ...NOTE_ENDPOINTS.map(({ method, path, status }): RouteRow => [method, path, status]),
    ...extensionsOf('note'),
  ],
  movies: [...gets(MOVIE_GETS), ...extensionsOf('movie')],
  events: [
    ...gets(EVENT_GETS),
    ...gets(EVENT_CALENDARS.map((path) => ({ path }))),
    ...EVENT_WRITES.map(({ method, path }): RouteRow => [method, path, 202]),
  ],
  catalogue: ADMIN.filter(([, path]) => CATALOGUE.test(path)),
  administration: [
    ...ADMIN.filter(([, path]) => !CATALOGUE.test(path)),
    ['POST', '/v2/report', 201],
  ],
  conventions: [
    ['GET', '/v2/openapi.json', 200],
    ['GET', '/admin/v1/openapi.json', 200],
    ['GET', '/v2/rate_limit', 200],
    ['GET', '/v2/captcha', 200],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
  ],
  authorization: [
    ['GET', '/.well-known/oauth-authorization-server', 200],
    ['POST', '/service/auth2/token', 200],
    ['POST', '/service/auth2/revoke', 200],
    ['POST', '/service/auth2/introspect', 200],
  ],
} as const satisfies Readonly<Record<string, readonly RouteRow[]>>;

/** Whether a request reached a route and succeeded. `:id` is a number, other parameters are names. */
export function routeCalled(
  [method, path, status]: RouteRow,
  call: { readonly method: string; readonly path: string; readonly status: number },
): boolean {
  if (method !== call.method || status !== call.status) return false;
  const pattern = path
    .replaceAll('.', '\\.')
    .replace(/:id\b/g, '\\d+')
    .replace(/:\w+/g, '[\\w.-]+');
  return new RegExp(`^${pattern}$`).test(call.path);
}
