import { isApiPath } from '../http/request-context';
import { type Route } from '../routing/route-table';

const integer = (description: string): object => ({ schema: { type: 'integer' }, description });
const text = (description: string): object => ({ schema: { type: 'string' }, description });

/** Headers of every response below /v2 (D16). */
export const LIMIT_HEADERS: Readonly<Record<string, object>> = {
  'X-RateLimit-Limit': integer(
    'Calls an hour of the user or application, without authorization of the address; 2147483647: no limit.',
  ),
  'X-RateLimit-Remaining': integer('What is left of them.'),
  'X-RateLimit-Limit2': integer(
    'Calls an hour of the address, with all tokens and apikeys; 2147483647: no limit.',
  ),
  'X-RateLimit-Remaining2': integer('What is left of them.'),
  'RateLimit-Policy': text('Every limit in force (draft-ietf-httpapi-ratelimit-headers).'),
  RateLimit: text('What is left of every limit in force, and the seconds until it is whole.'),
};

/** References to {@link LIMIT_HEADERS} for responses. */
export const LIMIT_HEADER_REFERENCES = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** The members of a 429 in addition to those of every error. */
export const TOO_MANY = {
  description: 'Too many calls: code 111 of the user or application, 112 of the address.',
  headers: { 'Retry-After': integer('Seconds until the call can be made again.') },
};

/** Meanings of a 400 where HTTPS may be required (D17). */
export const WRONG_SCHEME = {
  description: 'A parameter is wrong; code 100: where HTTPS is required, a token came without.',
};

/** Meanings of a 400 where the text is public. */
export const BANNED_WORD = {
  description: `${WRONG_SCHEME.description} Code 1004: a text has a word that is not accepted.`,
};

/** Meanings of a 403 where users write. */
export const CAPTCHA_NEEDED = {
  description:
    'Code 1000: not allowed. Code 1007: after many writes, a challenge from /v2/captcha has to be solved.',
};

/** Whether users write with a route, so that it may require a challenge. */
export const isWrite = ({ method, login, path }: Route): boolean =>
  method !== 'GET' && login && isApiPath(path);

/** Errors of a route in addition to those of every route. */
export function refusalsOf(route: Route): object {
  const api = isApiPath(route.path);
  const moderated = route.parameters.some((parameter) => parameter.moderated);
  return {
    // On routes with OAuth errors, this error has their format too.
    ...(api || (route.secure && !route.oauthErrors)
      ? { 400: { $ref: `#/components/responses/${moderated ? 'BannedWord' : 'WrongScheme'}` } }
      : {}),
    ...(isWrite(route) ? { 403: { $ref: '#/components/responses/CaptchaNeeded' } } : {}),
    ...(api ? { 429: { $ref: '#/components/responses/TooMany' } } : {}),
  };
}
