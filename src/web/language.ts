import { type Request } from 'express';
import { ENGLISH, type Messages } from './messages.en';
import { CHINESE } from './messages.zh';

/** Languages that pages are written in; the first is for who asks for none. */
const LANGUAGES: Readonly<Record<string, Messages>> = { en: ENGLISH, zh: CHINESE };

/** Characters of `Accept-Language` that are read at most: 60,000 take 80 ms. */
const MAX_HEADER = 1000;

/** The page's words, in the language that `Accept-Language` likes best. */
export function messagesFor(request: Request): Messages {
  const { 'accept-language': header = '' } = request.headers;
  if (header.length > MAX_HEADER) return ENGLISH;
  const best = request.acceptsLanguages(Object.keys(LANGUAGES));
  return LANGUAGES[best === false ? 'en' : best] ?? ENGLISH;
}
