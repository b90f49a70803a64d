import { Converter } from 'opencc-js/t2cn';
import { cacheByCharacter } from './character-cache';

/** Built on first use: it takes 20 ms. */
let toSimplified: ReturnType<typeof Converter> | undefined;

/**
 * Simplified characters with several traditional forms, which a converter of single characters does
 * not unify.
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
  toSimplified ??= Converter({ from: 't', to: 'cn' });
  const simplified = toSimplified(character);
  return VARIANTS.get(simplified) ?? simplified;
}

/**
 * Folds a single code point. Folding complete texts would convert phrases and compose across
 * characters. Then a substring could fold differently from its title, and a search would not find
 * it.
 */
function foldCharacter(character: string): string {
  const decomposed = HANGUL.test(character)
    ? character
    : character.normalize('NFKD').replace(ACCENTS, '');
  const folded = decomposed.toUpperCase().toLowerCase();
  // A dotted capital I becomes two code points in lower case, one of them an accent.
  return Array.from(folded.replace(ACCENTS, ''), simplify).join('');
}

/** Folds a code point with a cache; a single accent folds to the empty string. */
export const foldCodePoint = cacheByCharacter(foldCharacter);

/** Entry of {@link foldedUnits} when the result is not one code unit; 0 means not computed. */
const NOT_ONE_UNIT = 0xffff;

/** The folded code unit of each UTF-16 code unit, computed when it is first used. */
const foldedUnits = new Uint16Array(0x10000);

function computeUnit(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  const folded = isSurrogate ? '' : foldCodePoint(String.fromCharCode(unit));
  const entry = folded.length === 1 ? folded.charCodeAt(0) : NOT_ONE_UNIT;
  foldedUnits[unit] = entry;
  return entry;
}

/** Folds each code point. Most of them fold to one code unit, often to themselves. */
function foldUnits(text: string): string {
  let folded = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const entry = foldedUnits[unit] || computeUnit(unit);
    if (entry === unit) continue;
    folded += text.slice(from, at);
    if (entry === NOT_ONE_UNIT) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      folded += foldCodePoint(character);
      at += character.length - 1;
    } else {
      folded += String.fromCharCode(entry);
    }
    from = at + 1;
  }
  return from === 0 ? text : folded + text.slice(from);
}

const SPACE = /\s/;

/**
 * Folds a text for comparison (D28): width, case, accents and traditional forms no longer differ,
 * white space is normalized. Every substring of a text folds to a substring of the folded text.
 */
export function fold(text: string): string {
  const folded = foldUnits(text);
  return SPACE.test(folded) ? folded.replace(/\s+/g, ' ').trim() : folded;
}

const PUNCTUATION = /\p{P}+/gu;
const PUNCTUATION_OR_SPACE = /[\p{P} ]/u;

// A space that does not separate two Latin words or numbers.
const IDLE_SPACE = /(?<![a-z0-9]) | (?![a-z0-9])/g;

/** Folded text without punctuation, and without spaces between Chinese words, as users type it. */
export const withoutPunctuation = (folded: string): string =>
  PUNCTUATION_OR_SPACE.test(folded)
    ? folded.replace(PUNCTUATION, '').replace(IDLE_SPACE, '')
    : folded;
