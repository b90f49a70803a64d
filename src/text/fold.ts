import { Converter } from 'opencc-js/t2cn';

const toSimplified = Converter({ from: 't', to: 'cn' });

// Accents that Latin, Greek and Cyrillic letters lose; the kana's voicing marks stay.
const ACCENTS = /[\u0300-\u036f]/g;
const HANGUL = /^[\uac00-\ud7a3]$/;

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
  return Array.from(folded.replace(ACCENTS, ''), (one) => toSimplified(one)).join('');
}

const FOLDED = new Map<string, string>();
/** Unicode has some 150,000 characters: the map can never grow past them. */
function fold1(character: string): string {
  let folded = FOLDED.get(character);
  if (folded === undefined) {
    folded = foldCharacter(character);
    FOLDED.set(character, folded);
  }
  return folded;
}

/**
 * Text folded for comparison (D28): width, case, accents and traditional forms no longer differ,
 * runs of white space are one space, ends are trimmed. Every substring of a text folds to a
 * substring of what the text folds to.
 */
export function fold(text: string): string {
  let folded = '';
  for (const character of text) folded += fold1(character);
  return folded.replace(/\s+/g, ' ').trim();
}
