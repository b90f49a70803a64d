import { DEVELOPERS_EN, type DevelopersMessages } from './en';
import { DEVELOPERS_ZH_HANS } from './zh-hans';
import { DEVELOPERS_ZH_HANT } from './zh-hant';

const BY_LANG = new Map<string, DevelopersMessages>(
  [DEVELOPERS_EN, DEVELOPERS_ZH_HANS, DEVELOPERS_ZH_HANT].map((words) => [words.lang, words]),
);

/** Texts of the developer's pages in the language of a page (BCP 47). */
export const developersMessages = (lang: string): DevelopersMessages =>
  BY_LANG.get(lang) ?? DEVELOPERS_EN;
