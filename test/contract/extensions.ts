/** A GET that the specification does not have (D51). */
export interface ExtensionGet {
  readonly path: string;
  readonly scope: string;
  /** Tiers that are let in, where there are any. */
  readonly tiers?: readonly string[];
  readonly login?: boolean;
  /** Whether it takes `fields`. */
  readonly fields?: boolean;
  /** Shape of the response; for a list, of each element. */
  readonly shape: string;
  readonly member?: string;
  /** Parameters of the query, with `start` and `count`. */
  readonly query: readonly string[];
}

/** Additional GET endpoints with JSON responses; calendars are in event-endpoints.ts. */
export const EXTENSIONS: readonly ExtensionGet[] = [
  {
    path: '/v2/book/list',
    scope: 'book_basic_r',
    fields: true,
    shape: 'Book',
    member: 'books',
    query: ['ids', 'isbns'],
  },
  {
    path: '/v2/movie/subject/list',
    scope: 'movie_basic_r',
    tiers: ['basic', 'advance', 'premium'],
    shape: 'Subject',
    member: 'subjects',
    query: ['ids'],
  },
  {
    path: '/v2/movie/:id',
    scope: 'movie_basic_r',
    tiers: ['basic', 'advance', 'premium'],
    shape: 'LegacyMovie',
    query: [],
  },
  {
    path: '/v2/note/user_liked/:name',
    scope: 'community_basic_note',
    login: true,
    shape: 'Note',
    member: 'notes',
    query: ['format', 'start', 'count'],
  },
];

/** Routes around the areas of the specification, which leaves authorization and limits open. */
export const SERVICE_EXTENSIONS = [
  'GET /.well-known/oauth-authorization-server',
  'GET /healthz',
  'GET /readyz',
  'GET /v2/captcha',
  'GET /v2/openapi.json',
  'GET /v2/rate_limit',
  'POST /service/auth2/introspect',
  'POST /service/auth2/revoke',
  'POST /service/auth2/token',
  'POST /v2/report',
];
