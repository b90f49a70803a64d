import { CONSOLE_FORMS, CONSOLE_PAGES } from '../console/routes';
import { type Scope } from '../../../src/api/access/access';
import { ADMIN } from './matrix.admin';
import { type Kind } from './matrix.cells';
import { SITE } from './matrix.site';

/** A route, how it is reached, and what it says to who is let in. */
export interface Row {
  /** Method and path, as the service has it. */
  readonly route: string;
  readonly kind: Kind;
  /** Absent where none is asked for. */
  readonly scope?: Scope;
  /** Without the query; the route's own path when absent. */
  readonly address?: string;
  readonly query?: string;
  /** Status, and code when it is an error: the test's database is empty. */
  readonly inside: readonly [status: number, code?: number];
}

const book = (path: string, more: Partial<Row>): Row => ({
  route: `GET /v2/book/${path}`,
  kind: 'openRead',
  scope: 'book_basic_r',
  inside: [404, 6000],
  ...more,
});

const movie = (
  tier: 'basic' | 'advance' | 'premium',
  path: string,
  ...inside: Row['inside']
): Row => ({
  route: `GET /v2/movie/${path}`,
  kind: tier === 'basic' ? 'openRead' : 'closed',
  scope: `movie_${tier}_r`,
  address: `/v2/movie/${path.replace(':id', '1')}`,
  inside,
});

/** A write about books: of a user, and nothing is sent with it. */
const write = (route: string, address: string, ...inside: Row['inside']): Row => ({
  route,
  kind: 'needsUser',
  scope: /review/.test(route) ? 'service_basic_common' : 'book_basic_w',
  address,
  inside,
});

/** A read of events or cities. */
const event = (path: string, more: Partial<Row> = {}): Row => ({
  route: `GET /v2/${path}`,
  kind: 'openRead',
  scope: 'event_basic_r',
  address: `/v2/${path.replace(':id', '1')}`,
  inside: [404, 1001],
  ...more,
});

/** A write about events: there is none. */
const joining = (method: string, path: string): Row => ({
  route: `${method} /v2/event/:id/${path}`,
  kind: 'needsUser',
  scope: 'event_basic_w',
  address: `/v2/event/1/${path}`,
  inside: [404, 1001],
});

/** A call about notes: the note is unknown, and nothing is sent with it. */
const note = (route: string, address: string, ...inside: Row['inside']): Row => ({
  route,
  kind: 'note',
  scope: 'community_basic_note',
  address,
  inside,
});

const page = (route: string, ...inside: Row['inside']): Row => ({ route, kind: 'page', inside });
/** A form that comes from nowhere: 126. */
const form = (path: string): Row => page(`POST /service/${path}`, 403, 126);

/** Pages of the console redirect to sign-in, and its forms need a session. */
const CONSOLE_ROUTES: readonly Row[] = [
  page('GET /admin/style.css', 200),
  page('GET /admin/setup', 404, 1001),
  page('POST /admin/setup', 403, 126),
  page('GET /admin/console.js', 200),
  ...CONSOLE_PAGES.map((path) => page(`GET ${path}`, 303)),
  ...CONSOLE_FORMS.map((path) => page(`POST ${path}`, 403, 126)),
];

const OWN = 'developer/applications/:clientId';

/** Every route of the service. */
export const SERVICE: readonly Row[] = [
  book(':id', { address: '/v2/book/1' }),
  book('isbn/:name', { address: '/v2/book/isbn/9787111128069' }),
  book('list', { query: 'ids=1', inside: [200] }),
  book('search', { query: 'q=x', inside: [200] }),
  book(':id/tags', { address: '/v2/book/1/tags' }),
  book('user/:name/tags', { address: '/v2/book/user/none/tags', inside: [404, 6008] }),
  book('user_tags/:id', {
    address: '/v2/book/user_tags/4711',
    kind: 'closed',
    scope: 'service_basic_common',
    inside: [404, 6008],
  }),
  book('user/:name/collections', {
    address: '/v2/book/user/none/collections',
    inside: [404, 6008],
  }),
  book(':id/collection', { address: '/v2/book/1/collection', query: 'user_id=none' }),
  book('user/:name/annotations', {
    address: '/v2/book/user/none/annotations',
    inside: [404, 6008],
  }),
  book(':id/annotations', { address: '/v2/book/1/annotations' }),
  book('annotation/:id', { address: '/v2/book/annotation/1', inside: [404, 1001] }),
  book('series/:id/books', { address: '/v2/book/series/1/books', inside: [404, 1001] }),

  write('POST /v2/book/:id/collection', '/v2/book/1/collection', 400, 1002),
  write('PUT /v2/book/:id/collection', '/v2/book/1/collection', 400, 1002),
  write('DELETE /v2/book/:id/collection', '/v2/book/1/collection', 404, 6000),
  write('POST /v2/book/:id/annotations', '/v2/book/1/annotations', 400, 1002),
  write('PUT /v2/book/annotation/:id', '/v2/book/annotation/1', 400, 1002),
  write('DELETE /v2/book/annotation/:id', '/v2/book/annotation/1', 404, 1001),
  write('POST /v2/book/reviews', '/v2/book/reviews', 400, 1002),
  write('PUT /v2/book/review/:id', '/v2/book/review/1', 400, 1002),
  write('DELETE /v2/book/review/:id', '/v2/book/review/1', 404, 6006),

  movie('basic', 'subject/:id', 404, 1001),
  movie('basic', 'subject/list', 400, 1002),
  movie('basic', ':id', 404, 1001),
  movie('basic', 'celebrity/:id', 404, 1001),
  movie('advance', 'subject/:id/photos', 404, 1001),
  movie('advance', 'subject/:id/reviews', 404, 1001),
  movie('advance', 'subject/:id/comments', 404, 1001),
  movie('advance', 'celebrity/:id/works', 404, 1001),
  movie('advance', 'celebrity/:id/photos', 404, 1001),
  movie('basic', 'search', 400, 1002),
  movie('basic', 'top250', 200),
  movie('basic', 'us_box', 200),
  movie('advance', 'weekly', 200),
  movie('advance', 'new_movies', 200),
  movie('premium', 'in_theaters', 200),
  movie('premium', 'coming_soon', 200),
  event('event/list', { inside: [200] }),
  event('event/list.ics', { inside: [200] }),
  event('event/:id'),
  event('event/:id.ics'),
  event('event/:id/participants'),
  event('event/:id/wishers'),
  event('event/user_created/:id', { address: '/v2/event/user_created/4711' }),
  event('event/user_participated/:id', { address: '/v2/event/user_participated/4711' }),
  event('event/user_wished/:id', { address: '/v2/event/user_wished/4711' }),
  event('loc/list', { inside: [200] }),
  event('loc/:id'),
  joining('POST', 'participants'),
  joining('DELETE', 'participants'),
  joining('POST', 'wishers'),
  joining('DELETE', 'wishers'),
  note('POST /v2/notes', '/v2/notes', 400, 1002),
  note('PUT /v2/note/:id', '/v2/note/1', 400, 1002),
  note('DELETE /v2/note/:id', '/v2/note/1', 400, 1006),
  note('POST /v2/note/:id', '/v2/note/1', 400, 1002),
  note('GET /v2/note/:id', '/v2/note/1', 400, 1006),
  note('GET /v2/note/user_created/:id', '/v2/note/user_created/4711000', 400, 1006),
  note('GET /v2/note/user_liked/:name', '/v2/note/user_liked/nobody', 400, 1006),
  note('POST /v2/note/:id/like', '/v2/note/1/like', 400, 1006),
  note('DELETE /v2/note/:id/like', '/v2/note/1/like', 400, 1006),
  note('GET /v2/note/:id/comments', '/v2/note/1/comments', 400, 1006),
  note('POST /v2/note/:id/comments', '/v2/note/1/comments', 400, 1002),
  note('GET /v2/note/:id/comment/:reply', '/v2/note/1/comment/1', 400, 1006),
  note('DELETE /v2/note/:id/comment/:reply', '/v2/note/1/comment/1', 400, 1006),

  { route: 'POST /v2/report', kind: 'anyUser', inside: [400, 1002] },
  ...ADMIN,

  { route: 'GET /v2/openapi.json', kind: 'openToAll', inside: [200] },
  { route: 'GET /v2/rate_limit', kind: 'openToAll', inside: [200] },
  { route: 'GET /v2/captcha', kind: 'openToAll', inside: [200] },
  page('GET /admin/v1/openapi.json', 200),
  page('GET /docs', 200),
  page('GET /docs/guides', 303),
  page('GET /docs/guides/:name', 404, 1001),
  page('GET /docs/reference', 303),
  page('GET /docs/reference/:name', 404, 1001),
  page('GET /docs/errors', 200),
  page('GET /docs/errors/:id', 404, 1001),
  page('GET /docs/search', 200),
  page('GET /docs/changelog', 200),
  page('GET /docs/changelog.atom', 200),
  // The build writes the package.
  page('GET /docs/commonplace-client.tgz', 404, 1001),
  page('GET /docs/docs.css', 200),
  page('GET /docs/docs.js', 200),
  page('GET /docs/design', 200),
  page('GET /docs/design/style.css', 200),
  page('GET /favicon.svg', 200),
  ...SITE.map(([route, address, ...inside]): Row => ({
    ...page(`GET /${route}`, ...inside),
    address: `/${address}`,
  })),
  page('GET /healthz', 200),
  page('GET /readyz', 200),
  page('GET /pictures/u/:name', 404, 1001),
  page('GET /.well-known/oauth-authorization-server', 200),

  { route: 'POST /service/auth2/token', kind: 'client', inside: [400, 113] },
  { route: 'POST /service/auth2/revoke', kind: 'client', inside: [400, 113] },
  { route: 'POST /service/auth2/introspect', kind: 'client', inside: [401, 116] },

  page('GET /service/auth2/auth', 400, 113),
  form('auth2/auth'),
  ...CONSOLE_ROUTES,
  page('GET /service', 303),
  page('GET /service/style.css', 200),
  page('GET /service/challenge.js', 200),
  page('GET /service/language', 303),
  page('GET /service/sign-in', 200),
  form('sign-in'),
  page('GET /service/register', 200),
  form('register'),
  form('sign-out'),
  page('GET /service/account', 303),
  form('account/revoke'),
  form('account/password'),
  form('account/sign-out-everywhere'),
  page('GET /service/docs/credentials', 200),
  form('docs/credentials'),
  page('GET /service/developer', 303),
  page('GET /service/developer/applications', 303),
  form('developer/applications'),
  page(`GET /service/${OWN}`, 303),
  ...['keys', 'permissions', 'use', 'failures', 'settings'].map((tab) =>
    page(`GET /service/${OWN}/${tab}`, 303),
  ),
  ...['secret', 'request', 'test', 'delete', 'logo'].map((tab) =>
    page(`GET /service/${OWN}/${tab}`, 303),
  ),
  form(`${OWN}/logo`),
  form(`${OWN}/logo/delete`),
  form(`${OWN}/test`),
  form(`${OWN}/test/delete`),
  form(`${OWN}/keys/stored`),
  form(`${OWN}/delete`),
  form(`${OWN}/secret`),
  form(`${OWN}/settings`),
  form(`${OWN}/request`),
];

const probe = (
  route: string,
  kind: Kind,
  scope?: Scope,
  ...[inside = 200]: readonly number[]
): Row => {
  const [method = '', name = ''] = route.split(' ');
  return { route: `${method} /v2/probe/${name}`, kind, scope, inside: [inside] };
};

/** Routes for the kinds of access that the specification knows. */
export const PROBES: readonly Row[] = [
  probe('GET book', 'openRead', 'book_basic_r'),
  probe('GET event', 'openRead', 'event_basic_r'),
  probe('GET movie', 'openRead', 'movie_basic_r'),
  probe('POST book', 'closed', 'book_basic_r'),
  probe('GET common', 'closed', 'service_basic_common'),
  probe('DELETE write', 'closed', 'event_basic_w'),
  probe('POST write', 'needsUser', 'book_basic_w', 201),
  probe('GET note', 'note', 'community_basic_note'),
  probe('GET open', 'openToAll'),
  probe('GET movie/basic', 'openRead', 'movie_basic_r'),
  probe('GET movie/advance', 'closed', 'movie_advance_r'),
  probe('GET movie/premium', 'closed', 'movie_premium_r'),
];
