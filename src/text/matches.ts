import { fold, foldCodePoint } from './fold';

/** First index of a match in a text, and the index after it. */
export type Match = readonly [from: number, to: number];

/**
 * Where the words of a search are in a text, in order and without overlap. Case, accents, width and
 * traditional forms do not matter, as in searches (D28).
 */
export function findMatches(text: string, q: string): readonly Match[] {
  const words = fold(q)
    .split(' ')
    .filter((word) => word !== '')
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [];
  let folded = '';
  let at = 0;
  /** The index in the text for each index of the folded text. */
  const origins: number[] = [];
  for (const character of text) {
    const part = foldCodePoint(character);
    folded += part;
    for (let unit = 0; unit < part.length; unit += 1) origins.push(at);
    at += character.length;
  }
  origins.push(text.length);
  const matches: Match[] = [];
  for (const { 0: word, index } of folded.matchAll(new RegExp(words.join('|'), 'gu'))) {
    let end = index + word.length;
    // A character that folds to several is marked in full.
    while (end < folded.length && origins[end] === origins[end - 1]) end += 1;
    const from = origins[index] ?? 0;
    if (from >= (matches.at(-1)?.[1] ?? 0)) matches.push([from, origins[end] ?? text.length]);
  }
  return matches;
}
