import { ENGLISH, type ConsoleMessages } from './en';
import { SIMPLIFIED_CHINESE } from './zh-hans';
import { TRADITIONAL_CHINESE } from './zh-hant';

export { type ConsoleMessages } from './en';

const MESSAGES: Readonly<Record<string, ConsoleMessages>> = {
  'zh-Hans': SIMPLIFIED_CHINESE,
  'zh-Hant': TRADITIONAL_CHINESE,
};

/** The messages of a language by its BCP 47 tag; English for other languages. */
export const consoleMessages = (lang: string): ConsoleMessages => MESSAGES[lang] ?? ENGLISH;
