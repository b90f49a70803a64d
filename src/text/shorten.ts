import { firstOf, lengthOf } from '../api/input/text-input';

/** Characters behind the limit that are looked at, so that the last word is seen whole. */
const AHEAD = 40;

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const SENTENCE_END = /[。！？!?…]+["'”’」』）)]*|\.(?=\s)|\n/g;

/**
 * The beginning of a text: whole when it has at most `limit` code points; otherwise cut behind a
 * sentence, or behind a word where that would leave less than half, and ended with an ellipsis that
 * is counted.
 */
export function shorten(text: string, limit: number): string {
  const head = firstOf(text, limit + AHEAD);
  if (lengthOf(head) <= limit) return text;
  let kept = '';
  let left = limit - 1;
  for (const { segment } of WORDS.segment(head)) {
    left -= lengthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  if (kept === '') kept = firstOf(text, Math.max(limit - 1, 0));
  let end = 0;
  for (const match of kept.matchAll(SENTENCE_END)) end = match.index + match[0].length;
  const cut = end >= kept.length / 2 ? kept.slice(0, end) : kept;
  return `${cut.trimEnd()}…`;
}
