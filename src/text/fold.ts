import { Converter } from 'opencc-js/t2cn';
import { remembered } from './remembered';

const toSimplified = Converter({ from: 't', to: 'cn' });

/**
 * Simplified characters that several traditional ones, or both scripts, write differently: a
 * converter that sees one character alone leaves them apart.
 */
const VARIANTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    著: '着',
    锺: '钟',
    藉: '借',
    馀: '余',
    瞭: '了',
    祇: '只',
    衹: '只',
    彷: '仿',
    妳: '你',
    甦: '苏',
    麽: '么',
    裡: '里',
    菸: '烟',
    峯: '峰',
    牀: '床',
    羣: '群',
    喫: '吃',
  }),
);

// Accents that Latin, Greek and Cyrillic letters lose; the kana's voicing marks stay.
const ACCENTS = /[\u0300-\u036f]/g;
const HANGUL = /^[\uac00-\ud7a3]$/;

function simplify(character: string): string {
  const simplified = toSimplified(character);
  return VARIANTS.get(simplified) ?? simplified;
}

/**
 * One code point folded by itself. Folding whole texts would not do: conversions of phrases and
 * compositions across characters make what a substring folds to differ from what it was folded to
 * inside its title, and then it is not found.
 */
function foldCharacter(character: string): string {
  const decomposed = HANGUL.test(character)
    ? character
    : character.normalize('NFKD').replace(ACCENTS, '');
  const folded = decomposed.toUpperCase().toLowerCase();
  // A dotted capital I leaves an accent behind when lowered.
  return Array.from(folded.replace(ACCENTS, ''), simplify).join('');
}

/**
 * One code point, folded for comparison; nothing is left of an accent by itself. What was folded is
 * remembered.
 */
export const foldCodePoint = remembered(foldCharacter);

/**
 * Text folded for comparison (D28): width, case, accents and traditional forms no longer differ,
 * runs of white space are one space, ends are trimmed. Every substring of a text folds to a
 * substring of what the text folds to.
 */
export function fold(text: string): string {
  let folded = '';
  for (const character of text) folded += foldCodePoint(character);
  return folded.replace(/\s+/g, ' ').trim();
}

const PUNCTUATION = /\p{P}+/gu;

// A space that does not part two Latin words or numbers.
const IDLE_SPACE = /(?<![a-z0-9]) | (?![a-z0-9])/g;

/** Folded text as people type it: without punctuation, and without spaces between Chinese words. */
export const withoutPunctuation = (folded: string): string =>
  folded.replace(PUNCTUATION, '').replace(IDLE_SPACE, '');
