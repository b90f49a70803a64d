import { firstOf, lengthOf, withoutEllipsis } from '../api/input/text-input';

/** Lookahead after the limit in characters, so that the last word is complete. */
const AHEAD = 40;

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const SENTENCE_END = /[。！？!?…]+["'”’」』）)]*|\.(?=\s)|\n/g;

/**
 * Truncates a text to `limit` code points including an ellipsis. It cuts after a sentence, or after
 * a word where a sentence would leave less than half. The ellipsis replaces one of the text (D43).
 */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = firstOf(text, limit + AHEAD);
  if (lengthOf(head) <= limit) return text;
  let shortened = '';
  let left = limit - 1;
  for (const { segment } of WORDS.segment(head)) {
    left -= lengthOf(segment);
    if (left < 0) break;
    shortened += segment;
  }
  if (shortened === '') shortened = firstOf(text, Math.max(limit - 1, 0));
  let end = 0;
  for (const match of shortened.matchAll(SENTENCE_END)) end = match.index + match[0].length;
  const cut = end >= shortened.length / 2 ? shortened.slice(0, end) : shortened;
  return `${withoutEllipsis(cut, text.slice(cut.length)).trimEnd()}…`;
}
