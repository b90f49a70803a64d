import { firstOf } from '../api/input/text-input';

/**
 * UTF-16 units of a text that excerpts are made of. The longest excerpt has 500 characters; the
 * rest is for markup.
 */
export const EXCERPT_SOURCE = 2000;

/**
 * Characters of a text that lists with excerpts read: whole texts of many rows would fill the memory.
 * They are more than {@link EXCERPT_SOURCE} to have the end of a quotation or of code.
 */
const MAX_LIST_SOURCE = 10_000;

/** SQL of the part of a text that lists with excerpts read. */
export const excerptSourceSql = (column: string): string => `left(${column}, ${MAX_LIST_SOURCE})`;

/** The part of a text that lists with excerpts read. */
export const excerptSource = (text: string): string =>
  text.length <= MAX_LIST_SOURCE ? text : firstOf(text, MAX_LIST_SOURCE);

/** The first UTF-16 units of a text; one fewer where they would end in half a character. */
export function headOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units);
}

/**
 * The part of a word in Latin letters or digits at the end of a text. It takes linear time, because
 * the lookbehind allows one start in each word.
 */
const LAST_WORD = /(?<![\p{Script=Latin}\p{M}\p{N}])[\p{Script=Latin}\p{M}\p{N}]+$/u;
const WORD_START = /^[\p{Script=Latin}\p{M}\p{N}]/u;

/**
 * {@link headOf} without a part of a word at its end, which can be a different word. The beginning of
 * a text of one word is not empty.
 */
export function headOfWords(text: string, units: number): string {
  const head = headOf(text, units);
  if (!WORD_START.test(text.slice(head.length, head.length + 2))) return head;
  return head.replace(LAST_WORD, '') || head;
}
