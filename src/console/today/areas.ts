/** Parts of the service that receive requests. */
export type TrafficArea =
  | 'books'
  | 'movies'
  | 'events'
  | 'notes'
  | 'users'
  | 'api'
  | 'administration'
  | 'authorization'
  | 'developers'
  | 'accounts'
  | 'docs'
  | 'pictures'
  | 'files'
  | 'pages'
  | 'unmatched';

/** Areas by path prefix; the first match wins. */
const PATH_PREFIXES: readonly (readonly [string, TrafficArea])[] = [
  ['/v2/book', 'books'],
  ['/v2/series', 'books'],
  ['/v2/movie', 'movies'],
  ['/v2/event', 'events'],
  ['/v2/loc', 'events'],
  ['/v2/note', 'notes'],
  ['/v2/user', 'users'],
  ['/v2', 'api'],
  ['/admin/v1', 'administration'],
  ['/service/auth2', 'authorization'],
  ['/service/developer', 'developers'],
  ['/service/style', 'files'],
  ['/service', 'accounts'],
  ['/docs', 'docs'],
  ['/pictures', 'pictures'],
];

/** Style sheets, scripts, icons, feeds and what crawlers read. */
const FILE = /\.(?:css|js|svg|ico|txt|xml|atom|webmanifest)$|^\/sitemap\b/;

/** The area of an operation such as `GET /v2/book/:id`; `*` is a request to no route. */
export function areaOf(operation: string): TrafficArea {
  const path = operation.slice(operation.indexOf(' ') + 1);
  if (!path.startsWith('/')) return 'unmatched';
  const found = PATH_PREFIXES.find(([prefix]) => path.startsWith(prefix));
  if (found) return found[1];
  return FILE.test(path) ? 'files' : 'pages';
}
