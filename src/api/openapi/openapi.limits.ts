const integer = (description: string): object => ({ schema: { type: 'integer' }, description });
const text = (description: string): object => ({ schema: { type: 'string' }, description });

/** Headers of every response below /v2 (D16). */
export const LIMIT_HEADERS: Readonly<Record<string, object>> = {
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

/** References to {@link LIMIT_HEADERS} for responses. */
export const LIMIT_HEADER_REFERENCES = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Headers of responses after which the request can be repeated. */
export const RETRY_AFTER = {
  'Retry-After': integer('Seconds until the request can be made again.'),
};
