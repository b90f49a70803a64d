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
 * Over HTTPS the name has the prefix `__Host-`: browsers take such a cookie from this very host over
 * HTTPS alone, so neither a sibling domain nor somebody on a plain connection can plant one
 * (RFC 6265bis, section 4.1.3.2). Plain HTTP, as in development, has a name and cookies of its own.
 */
const nameOf = (request: ApiRequest, { name }: PageCookie): string =>
  isSecure(request) ? `__Host-${name}` : name;

function optionsOf(request: ApiRequest, { path, sameSite }: PageCookie): CookieOptions {
  const secure = isSecure(request);
  return { path: secure ? '/' : path, httpOnly: true, sameSite, secure };
}

/** What a request's cookie holds; empty without one. */
export const readCookie = (request: ApiRequest, cookie: PageCookie): string =>
  parseCookie(request.headers.cookie ?? '')[nameOf(request, cookie)] ?? '';

export function writeCookie(
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
