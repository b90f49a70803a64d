import { CharacterClass, classOfCodePoint, plain } from './characters';

/** Characters of a normalized text that are searched at once. */
const SLICE = 4000;
/** Characters that two slices share: words are shorter, also with separated letters. */
const OVERLAP = 1000;
/** Characters in which a place to cut between two words is sought. */
const SOUGHT = 200;

const isSpace = (code: number): boolean => classOfCodePoint(code) === CharacterClass.Space;

/** Whether a normalized text can be cut before an index: after a space or an ideograph. */
function isBoundary(text: string, at: number): boolean {
  const sort = classOfCodePoint(text.charCodeAt(at - 1));
  return sort === CharacterClass.Space || sort === CharacterClass.Ideograph;
}

/** The last boundary at or shortly before an index; without one, the end of a character. */
function lastBoundary(text: string, to: number): number {
  for (let at = to; at > to - SOUGHT; at -= 1) if (isBoundary(text, at)) return at;
  const isInPair = (text.codePointAt(to - 1) ?? 0) > 0xffff;
  return isInPair ? to - 1 : to;
}

/**
 * A long text as normalized slices that overlap, so that other requests can be served between them.
 * A slice begins and ends between words, except in long runs of letters.
 * Repeated spaces, which pages show as one, are one: otherwise they could move the letters of a word
 * into different slices.
 */
export function* normalizedSlices(text: string): Generator<string> {
  let slice = '';
  let last = 0;
  for (const character of text) {
    const normalized = plain(character);
    const code = normalized.codePointAt(0) ?? 0;
    if (normalized.length === 1 && isSpace(code) && isSpace(last)) continue;
    if (normalized !== '') last = normalized.codePointAt(normalized.length - 1) ?? 0;
    slice += normalized;
    if (slice.length < SLICE) continue;
    const end = lastBoundary(slice, slice.length);
    yield slice.slice(0, end);
    slice = slice.slice(lastBoundary(slice, end - OVERLAP));
  }
  yield slice;
}
