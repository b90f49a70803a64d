import { SITE_EN, type SiteMessages } from './en';
import { SITE_ZH_HANS } from './zh-hans';
import { SITE_ZH_HANT } from './zh-hant';

const BY_LANG = new Map<string, SiteMessages>(
  [SITE_EN, SITE_ZH_HANS, SITE_ZH_HANT].map((messages) => [messages.lang, messages]),
);

/** Texts of the public pages in the language of a page (BCP 47). */
export const siteMessages = (lang: string): SiteMessages => BY_LANG.get(lang) ?? SITE_EN;
