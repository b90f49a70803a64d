import { type Request } from 'express';
import { ENGLISH, type Messages } from './messages.en';
import { CHINESE } from './messages.zh';

/** Languages of the pages; the default is English. */
const LANGUAGES: Readonly<Record<string, Messages>> = { en: ENGLISH, zh: CHINESE };

/** Maximum length of `Accept-Language`, because parsing 60,000 characters takes 80 ms. */
const MAX_HEADER = 1000;

/** The messages in the preferred language of `Accept-Language`. */
export function messagesFor(request: Request): Messages {
  const { 'accept-language': header = '' } = request.headers;
  if (header.length > MAX_HEADER) return ENGLISH;
  const best = request.acceptsLanguages(Object.keys(LANGUAGES));
  return LANGUAGES[best === false ? 'en' : best] ?? ENGLISH;
}
