import { isApiPath } from '../http/request-context';
import { type Route } from '../routing/route-table';

const integer = (description: string): object => ({ schema: { type: 'integer' }, description });
const text = (description: string): object => ({ schema: { type: 'string' }, description });

/** Headers of every response below /v2 (D16). */
const LIMIT_HEADERS: Readonly<Record<string, object>> = {
  'X-RateLimit-Limit': integer(
    'Requests an hour of the user or application; of the address without a token or key. 2147483647 means no limit.',
  ),
  'X-RateLimit-Remaining': integer('Remaining requests of `X-RateLimit-Limit`.'),
  'X-RateLimit-Limit2': integer(
    'Requests an hour of the address, with all tokens and keys. 2147483647 means no limit.',
  ),
  'X-RateLimit-Remaining2': integer('Remaining requests of `X-RateLimit-Limit2`.'),
  'RateLimit-Policy': text('Every limit in force (draft-ietf-httpapi-ratelimit-headers).'),
  RateLimit: text('Remaining requests of every limit, and seconds until its window ends.'),
};

/** Further headers of responses below /v2. */
const OTHER_HEADERS: Readonly<Record<string, object>> = {
  'X-Request-Id': text('Id of the request, which the logs of the service have too.'),
  ETag: text('Entity tag of the body, for `If-None-Match`.'),
  Deprecation: text('When the operation was deprecated (RFC 9745).'),
  Sunset: text('When the operation ends (RFC 8594).'),
  Link: text('The path that replaces the operation, with `rel="successor-version"`.'),
};

/** All headers of successful responses, by name. */
export const RESPONSE_HEADERS = { ...LIMIT_HEADERS, ...OTHER_HEADERS };

/** The headers of a deprecated operation. */
const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link'];

const referencesTo = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Whether a route answers conditional requests (D47). */
export const isConditional = ({ method, path, response }: Route): boolean =>
  method === 'GET' && isApiPath(path) && response.kind !== 'page';

/** The headers of a successful response of a route below /v2. */
export const responseHeadersOf = (route: Route): Record<string, object> =>
  referencesTo([
    ...Object.keys(LIMIT_HEADERS),
    'X-Request-Id',
    ...(isConditional(route) ? ['ETag'] : []),
    ...(route.deprecation ? DEPRECATION_HEADERS : []),
  ]);

/** The response to a conditional request whose body has not changed, by status. */
export const notModifiedOf = (route: Route): Record<string, object> =>
  isConditional(route)
    ? {
        304: {
          description: 'The body has not changed since the request that returned the entity tag.',
          headers: responseHeadersOf(route),
        },
      }
    : {};

/** References to {@link LIMIT_HEADERS} for responses. */
export const LIMIT_HEADER_REFERENCES = referencesTo(Object.keys(LIMIT_HEADERS));

/** Headers of responses after which the request can be repeated. */
export const RETRY_AFTER = {
  'Retry-After': integer('Seconds until the request can be made again.'),
};
