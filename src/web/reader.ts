import { type IncomingMessage } from 'node:http';
import { messagesFor, withoutLanguage } from './language';
import { PATHS, type Reader } from './layout';
import { isSafe } from '../api/http/safe-methods';

/** Maximum length of an address that the language switch carries. */
const MAX_ADDRESS = 2000;

/**
 * Maximum length in characters of an address in a redirect, which may be percent-encoded again.
 * Proxies limit the headers of a response; those in `deploy/` accept 64 KB.
 */
export const MAX_REDIRECT_LENGTH = 16_384;

/** The path, query and fragment of this site in an address; undefined for any other (no open redirects). */
export function sameOriginPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > MAX_REDIRECT_LENGTH) return undefined;
  if (!/^\/[\x21-\x7e]*$/.test(address)) return undefined;
  // Browsers resolve dot segments and backslashes, so the resolved URL is checked.
  if (!URL.canParse(address, 'http://here.invalid')) return undefined;
  const { origin, pathname, search, hash } = new URL(address, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname.startsWith('//')) return undefined;
  const path = pathname + search + hash;
  // `URL` percent-encodes characters, so the path can be longer than the address.
  return path.length > MAX_REDIRECT_LENGTH ? undefined : path;
}

/** The path of the sign-in page that leads to an address afterwards, unless that is too long. */
export const signInPath = (returnTo: string): string =>
  returnTo.length > MAX_REDIRECT_LENGTH
    ? PATHS.signIn
    : `${PATHS.signIn}?return_to=${encodeURIComponent(returnTo)}`;

/** The address of a page; that of the home page if a GET cannot show the page again. */
function addressOf({ method = '', url }: { method?: string; url?: string }): string {
  if (!isSafe(method) || url === undefined || url.length > MAX_ADDRESS) return PATHS.home;
  return sameOriginPath(url) ?? PATHS.home;
}

/** The language of a request, and its address for the language switch. */
export function readerOf(request: IncomingMessage & { originalUrl?: string }): Reader {
  const { method, url, originalUrl = url } = request;
  const messages = messagesFor({ headers: request.headers, url: originalUrl });
  return { messages, here: withoutLanguage(addressOf({ method, url: originalUrl })) };
}
