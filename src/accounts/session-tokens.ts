import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { hashSecret } from '../oauth/tokens';
import { clearCookie, readCookie, setCookie, type PageCookie } from '../web/cookies';

/** Maximum number of tokens of a browser, because proxies limit the size of header fields. */
const MAX_TOKENS = 8;

/** The SHA-256 of a token. */
const HASH = /^[\w-]{43}$/;

/** Access tokens that pages gave to the browser. They end when the user signs out of it. */
const COOKIE: PageCookie = {
  name: 'commonplace_tokens',
  path: '/service',
  sameSite: 'strict',
  lifetime: 3600,
};

/** The hashes of these tokens, the latest first. The browser may have sent other hashes. */
export const tokensOf = (request: ApiRequest): Buffer[] =>
  readCookie(request, COOKIE)
    .split('!')
    .filter((text) => HASH.test(text))
    .slice(0, MAX_TOKENS)
    .map((text) => Buffer.from(text, 'base64url'));

/** Adds a token, which is valid for at most an hour. The cookie has its hash only. */
export function rememberToken(request: ApiRequest, response: Response, token: string): void {
  const hashes = [hashSecret(token), ...tokensOf(request)].slice(0, MAX_TOKENS);
  const value = hashes.map((hash) => hash.toString('base64url')).join('!');
  setCookie(request, response, COOKIE, value);
}

/** Deletes the cookie of a browser that has one. */
export function forgetTokens(request: ApiRequest, response: Response): void {
  if (readCookie(request, COOKIE) !== '') clearCookie(request, response, COOKIE);
}
