import { OF_MEMBERS } from './member-problems';
import { OF_OPERATIONS } from './operation-problems';
import { type Problem } from './problem';

const LANGUAGE: Readonly<Record<string, 2 | 3>> = { 'zh-Hans': 2, 'zh-Hant': 3 };

/** @returns the sentence; undefined for an unknown text */
function find(problems: readonly Problem[], lang: string, text: string): string | undefined {
  const problem = problems.find(([pattern]) => pattern.test(text));
  return problem && text.replace(problem[0], problem[LANGUAGE[lang] ?? 1]);
}

/**
 * The problem of a member in a language.
 * @param text the detail without the name of the member; returned when it is unknown
 */
export const memberProblem = (lang: string, text: string): string =>
  find(OF_MEMBERS, lang, text) ?? text;

/** The detail of an error in a language; the detail itself if it is unknown. */
export function problemText(lang: string, detail: string): string {
  const [, name = '', rest = ''] = /^([\w.-]+)(?: |: )(.*)$/s.exec(detail) ?? [];
  const text = find(OF_OPERATIONS, lang, detail);
  if (text !== undefined) return text;
  const problem = find(OF_MEMBERS, lang, rest);
  return problem === undefined ? detail : `${name}: ${problem}`;
}
