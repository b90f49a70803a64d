import { Matcher } from '../../moderation/matcher';
import { html, type Piece } from '../../web/html';

/** A range of a text, in UTF-16 code units; the end is exclusive. */
type Range = readonly [start: number, end: number];

/** Disguised words are looked for in the beginning of a text, because each takes several searches. */
const MAX_DISGUISED = 5000;

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Occurrences of a word in any case and with spaces between letters. */
function plainRanges(text: string, word: string): Range[] {
  const letters = [...word.replace(/\s+/g, '')].map(escapePattern);
  if (letters.length === 0) return [];
  const matches = text.matchAll(new RegExp(letters.join('\\s*'), 'giu'));
  return [...matches].map((match) => [match.index, match.index + match[0].length]);
}

/** The smallest number from 0 to `most` for which a monotonous condition holds. */
function smallest(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first occurrence of a word that the matcher finds although letters differ. */
function disguisedRange(text: string, word: string): Range[] {
  const matcher = new Matcher([{ word, action: 'hold' }]);
  const part = text.slice(0, MAX_DISGUISED);
  const finds = (start: number, end: number) => matcher.find(part.slice(start, end)).length > 0;
  if (!finds(0, part.length)) return [];
  const end = smallest(part.length, (value) => finds(0, value));
  const start = end - smallest(end, (length) => finds(end - length, end));
  return finds(start, end) ? [[start, end]] : [];
}

/** A text with the occurrences of words marked, also of the first disguised occurrence of each. */
export function highlighted(text: string, words: readonly string[]): Piece {
  const ranges = words.flatMap((word) => {
    const plain = plainRanges(text, word);
    return plain.length > 0 ? plain : disguisedRange(text, word);
  });
  const pieces: Piece[] = [];
  let at = 0;
  for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
    if (start < at) continue;
    pieces.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return [...pieces, text.slice(at)];
}
