import { CharacterClass, classOfCodePoint, plain } from './characters';

/** Characters of a normalized text that are searched at once. */
const SLICE = 4000;
/** Characters that two slices share. Banned words are shorter, even with separated letters. */
const OVERLAP = 1000;
/** Maximum distance to a place to cut between two words. */
const MAX_BOUNDARY_DISTANCE = 200;

/** Marks and ends of clauses that can replace letters inside a word. */
const LETTER_LIKE = '!@$|';

/** Whether a normalized text can be cut before an index: not inside a word. */
function isBoundary(text: string, at: number): boolean {
  const character = text.charAt(at - 1);
  const characterClass = classOfCodePoint(character.charCodeAt(0));
  return characterClass !== CharacterClass.Letter && !LETTER_LIKE.includes(character);
}

/** Whether an index is inside a character of two code units. */
const splitsSurrogatePair = (text: string, at: number): boolean =>
  (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** The last boundary at or shortly before an index; without one, the end of a character. */
function lastBoundary(text: string, to: number): number {
  for (let at = to; at > to - MAX_BOUNDARY_DISTANCE; at -= 1)
    if (!splitsSurrogatePair(text, at) && isBoundary(text, at)) return at;
  return splitsSurrogatePair(text, to) ? to - 1 : to;
}

/** Removes repeated spaces and repeated line breaks of a text that is read by characters. */
class GapFilter {
  private gap = '';

  /** @returns whether to keep a normalized character */
  keeps(normalized: string): boolean {
    const isSpace = classOfCodePoint(normalized.codePointAt(0) ?? 0) === CharacterClass.Space;
    const kind = isSpace && normalized.length === 1 ? ' ' : normalized;
    if (kind !== ' ' && kind !== '\n') {
      // Invisible characters do not end a gap.
      if (kind !== '') this.gap = '';
      return true;
    }
    if (this.gap.includes(kind)) return false;
    this.gap += kind;
    return true;
  }
}

/**
 * A long text as normalized slices that overlap, so that other requests can be served between them.
 * A slice begins and ends between words, except in long runs of letters. Repeated spaces and line
 * breaks are reduced to one. Otherwise they could separate letters by more than the overlap.
 */
export function* normalizedSlices(text: string): Generator<string> {
  const gaps = new GapFilter();
  let slice = '';
  for (const character of text) {
    const normalized = plain(character);
    if (!gaps.keeps(normalized)) continue;
    slice += normalized;
    if (slice.length < SLICE) continue;
    const end = lastBoundary(slice, slice.length);
    yield slice.slice(0, end);
    slice = slice.slice(lastBoundary(slice, end - OVERLAP));
  }
  yield slice;
}
