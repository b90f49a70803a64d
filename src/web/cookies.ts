import { parseCookie } from 'cookie';
import { type CookieOptions, type Response } from 'express';
import { isSecure } from '../api/http/client-address';
import { type ApiRequest } from '../api/http/request-context';

/** A cookie of the pages. */
export interface PageCookie {
  readonly name: string;
  /** Path over plain HTTP; over HTTPS the prefix `__Host-` needs `/`. */
  readonly path: string;
  readonly sameSite: 'lax' | 'strict';
  /** Seconds. */
  readonly lifetime: number;
}

/**
 * Over HTTPS the name has the prefix `__Host-`. Browsers accept such a cookie only from this host
 * over HTTPS, so sibling domains and attackers on plain connections cannot set it (RFC 6265bis,
 * section 4.1.3.2). Plain HTTP, as in development, uses separate cookies without the prefix.
 */
const nameOf = (request: ApiRequest, { name }: PageCookie): string =>
  isSecure(request) ? `__Host-${name}` : name;

/**
 * Both names of a cookie, first the name over HTTPS. Only for values that are useless to an
 * attacker who sets them.
 */
export const plainAndSecureNames = ({ name }: PageCookie): readonly string[] => [
  `__Host-${name}`,
  name,
];

function optionsOf(request: ApiRequest, { path, sameSite }: PageCookie): CookieOptions {
  const secure = isSecure(request);
  return { path: secure ? '/' : path, httpOnly: true, sameSite, secure };
}

/**
 * The cookies of a header by name. Values are not decoded: the parser would throw and catch an
 * exception for each that is malformed, which takes thirty times longer.
 */
export const cookiesOf = (header = ''): Readonly<Record<string, string | undefined>> =>
  parseCookie(header, { decode: (value) => value });

/** The value of a cookie; empty when the request has none, or a malformed one. */
export function readCookie(request: ApiRequest, cookie: PageCookie): string {
  const value = cookiesOf(request.headers.cookie)[nameOf(request, cookie)] ?? '';
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** The cookies of a request whose names begin with a prefix, without `__Host-`, by name. */
export function cookiesWithPrefix(
  request: ApiRequest,
  prefix: string,
): ReadonlyMap<string, string> {
  const host = isSecure(request) ? '__Host-' : '';
  const all = Object.entries(cookiesOf(request.headers.cookie));
  return new Map(
    all
      .filter(([name]) => name.startsWith(host + prefix))
      .map(([name, value = '']) => [name.slice(host.length), value]),
  );
}

export function setCookie(
  request: ApiRequest,
  response: Response,
  cookie: PageCookie,
  value: string,
): void {
  response.cookie(nameOf(request, cookie), value, {
    ...optionsOf(request, cookie),
    maxAge: cookie.lifetime * 1000,
  });
}

export function clearCookie(request: ApiRequest, response: Response, cookie: PageCookie): void {
  response.clearCookie(nameOf(request, cookie), optionsOf(request, cookie));
}
