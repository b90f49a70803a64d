import { type IncomingMessage } from 'node:http';
import { rangesOf } from '../api/http/header-ranges';
import { cookiesOf, plainAndSecureNames, type PageCookie } from './cookies';
import { ENGLISH, type Messages } from './messages.en';
import { SIMPLIFIED_CHINESE } from './messages.zh-hans';
import { TRADITIONAL_CHINESE } from './messages.zh-hant';

/** Languages of the pages by their BCP 47 tags; the default is English. */
export const LANGUAGES: ReadonlyMap<string, Messages> = new Map(
  [ENGLISH, SIMPLIFIED_CHINESE, TRADITIONAL_CHINESE].map((messages) => [messages.lang, messages]),
);

/** The language that the user selected, for a year. */
export const LANGUAGE_COOKIE: PageCookie = {
  name: 'commonplace_language',
  path: '/',
  sameSite: 'lax',
  lifetime: 365 * 24 * 3600,
};

/** Chinese that is written in traditional characters (RFC 5646). */
const TRADITIONAL = /^zh(-[a-z]{3})*-(hant|tw|hk|mo)\b/;

function supported(tag: string): Messages | undefined {
  if (/^en\b/.test(tag)) return ENGLISH;
  if (TRADITIONAL.test(tag)) return TRADITIONAL_CHINESE;
  return /^zh\b/.test(tag) ? SIMPLIFIED_CHINESE : undefined;
}

/** The supported language with the highest weight in an `Accept-Language` header. */
function preferred(header: string): Messages | undefined {
  let best: { messages: Messages; weight: number } | undefined;
  for (const { name, weight } of rangesOf(header)) {
    const messages = supported(name);
    if (messages && weight > (best?.weight ?? 0)) best = { messages, weight };
  }
  return best?.messages;
}

function selected(cookies: string | undefined): Messages | undefined {
  if (cookies === undefined || !cookies.includes(LANGUAGE_COOKIE.name)) return undefined;
  const values = cookiesOf(cookies);
  for (const name of plainAndSecureNames(LANGUAGE_COOKIE)) {
    const messages = LANGUAGES.get(values[name] ?? '');
    if (messages) return messages;
  }
  return undefined;
}

/** The beginning of the parameter with the language of a page. */
const PARAMETER = 'lang=';

/** The parameters of an address with their values, as they are written. */
const pairsOf = (address: string): string[] => {
  const at = address.indexOf('?');
  return at === -1 ? [] : address.slice(at + 1).split('&');
};

/** An address without the language, which would keep the language switch from having an effect. */
export function withoutLanguage(address: string): string {
  const pairs = pairsOf(address);
  if (!pairs.some((pair) => pair.startsWith(PARAMETER))) return address;
  const query = pairs.filter((pair) => !pair.startsWith(PARAMETER)).join('&');
  const path = address.slice(0, address.indexOf('?'));
  return query === '' ? path : `${path}?${query}`;
}

/** The language that the address of a page states (D130). */
function stated(url: string | undefined): Messages | undefined {
  const pair = pairsOf(url ?? '').find((one) => one.startsWith(PARAMETER));
  return pair === undefined ? undefined : LANGUAGES.get(pair.slice(PARAMETER.length));
}

/**
 * The messages in the language of the address, otherwise in the selected one, otherwise in the
 * preferred one of the browser.
 */
export function messagesFor({
  headers,
  url,
}: Pick<IncomingMessage, 'headers'> & { readonly url?: string }): Messages {
  return (
    stated(url) ??
    selected(headers.cookie) ??
    preferred(headers['accept-language'] ?? '') ??
    ENGLISH
  );
}
