import { setImmediate } from 'node:timers/promises';
import { Matcher } from '../../moderation/matcher';
import { html, type Piece } from '../../web/html';

/** Characters of a text in which words are marked: those of the longest text of a user (D41). */
const MAX_MARKED = 50_000;
/** Characters of all texts of a page in which words are marked. */
const MAX_MARKED_OF_PAGE = 200_000;
/** Marks in a text, which make its markup many times as long. */
const MAX_MARKS = 500;
/** Characters that are searched before other requests get a turn. */
const SLICE = 5000;
/** Characters that two slices share, for words at their ends. */
const OVERLAP = 500;

/** A text with its words. */
export interface MarkedText {
  readonly text: string;
  readonly words: readonly string[];
}

/** @param ends the ends of words by their starts; 0 for none */
function marked(text: string, ends: Int32Array): Piece {
  const pieces: Piece[] = [];
  let at = 0;
  const most = 2 * MAX_MARKS;
  for (let start = 0; start < ends.length && pieces.length < most; start += 1) {
    const end = ends[start] as number;
    if (end === 0) continue;
    pieces.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`);
    at = end;
    start = end - 1;
  }
  return [...pieces, text.slice(at)];
}

const matcherOf = (words: readonly string[]): Matcher =>
  new Matcher(words.map((word) => ({ word, action: 'hold' })));

/** A short text with the occurrences of words marked, also of disguised ones. */
export const highlighted = (text: string, words: readonly string[]): Piece =>
  marked(text, matcherOf(words).locate(text));

/** Searches the first characters of a text in slices, because requests come first. */
async function locateInSlices(matcher: Matcher, text: string, limit: number): Promise<Int32Array> {
  const ends = new Int32Array(limit);
  for (let from = 0; from < limit; from += SLICE) {
    await setImmediate();
    const part = text.slice(from, Math.min(from + SLICE + OVERLAP, limit));
    for (const [start, end] of matcher.locate(part).entries()) {
      if (end > 0) ends[from + start] = Math.max(ends[from + start] as number, from + end);
    }
  }
  return ends;
}

/**
 * The texts of a page with the occurrences of their words marked. The work is bounded: after the
 * first {@link MAX_MARKED_OF_PAGE} characters of all texts, none are marked.
 */
export async function highlightedTexts(texts: readonly MarkedText[]): Promise<Piece[]> {
  const matchers = new Map<string, Matcher>();
  const pieces: Piece[] = [];
  let left = MAX_MARKED_OF_PAGE;
  for (const { text, words } of texts) {
    const key = JSON.stringify(words);
    const matcher = matchers.get(key) ?? matcherOf(words);
    matchers.set(key, matcher);
    const limit = Math.min(text.length, MAX_MARKED, left);
    left -= limit;
    pieces.push(marked(text, await locateInSlices(matcher, text, limit)));
  }
  return pieces;
}
