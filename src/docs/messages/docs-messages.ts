import { type Reader } from '../../web/layout';
import { ENGLISH } from './messages.en';
import { SIMPLIFIED_CHINESE } from './messages.zh-hans';
import { TRADITIONAL_CHINESE } from './messages.zh-hant';

/** Texts of the documentation pages in one language. */
export type DocsMessages = typeof ENGLISH;

/** Languages of the guides and error pages. */
export type ContentLanguage = 'en' | 'zh-Hans';

const BY_LANGUAGE: Readonly<Record<string, DocsMessages>> = {
  en: ENGLISH,
  'zh-Hans': SIMPLIFIED_CHINESE,
  'zh-Hant': TRADITIONAL_CHINESE,
};

/** The texts in the language of a reader. */
export const docsMessages = ({ messages }: Reader): DocsMessages =>
  BY_LANGUAGE[messages.lang] ?? ENGLISH;

/** The language of guides for a reader: readers of traditional Chinese get simplified Chinese. */
export const contentLanguage = ({ messages }: Reader): ContentLanguage =>
  messages.lang === 'en' ? 'en' : 'zh-Hans';
