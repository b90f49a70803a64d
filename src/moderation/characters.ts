import { foldCodePoint } from '../text/fold';
import { cacheByCharacter } from '../text/character-cache';

/** Character classes of the search for banned words. */
export const enum CharacterClass {
  /** Invisible: ignored. */
  Invisible,
  Space,
  /** Ends or encloses a clause. */
  Sentence,
  /** Joins two parts of a word, which are still not adjacent letters. */
  Apostrophe,
  /** Any other character that is not a letter. */
  Mark,
  /** A letter of a script that separates words by spaces, or a digit. */
  Letter,
  /** A character of a script without spaces: Chinese, Japanese, Korean, Thai. */
  Ideograph,
}

const SPACE = /[\s\u2800]/u;
const INVISIBLE = /[\p{Cf}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}]/u;
const SENTENCE = /[\n\u2028\u2029,;:!?。、…，；：！？()[\]{}"“”„«»《》〈〉「」『』【】〔〕（）]/u;
const APOSTROPHE = /['‘’‛`´′ʼʹ＇]/u;
const WRITTEN_ON =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// CJK strokes, which serve as separators.
const STROKES = /[丨丶丿乀亅ー]/u;
const LETTER = /[\p{L}\p{N}]/u;

function classOf(character: string): CharacterClass {
  if (character === '\n') return CharacterClass.Sentence;
  // Spaces of JavaScript include it, but it has no width.
  if (character === '\ufeff') return CharacterClass.Invisible;
  if (SPACE.test(character)) return CharacterClass.Space;
  if (INVISIBLE.test(character)) return CharacterClass.Invisible;
  if (APOSTROPHE.test(character)) return CharacterClass.Apostrophe;
  if (SENTENCE.test(character)) return CharacterClass.Sentence;
  if (STROKES.test(character)) return CharacterClass.Mark;
  if (WRITTEN_ON.test(character)) return CharacterClass.Ideograph;
  return LETTER.test(character) ? CharacterClass.Letter : CharacterClass.Mark;
}

const UNKNOWN = 255;
const CHARACTER_CLASSES = new Uint8Array(0x110000).fill(UNKNOWN);

/** The class of a folded code point. */
export function classOfCodePoint(code: number): CharacterClass {
  const cached = CHARACTER_CLASSES[code] as number;
  if (cached !== UNKNOWN) return cached;
  const sort = classOf(String.fromCodePoint(code));
  CHARACTER_CLASSES[code] = sort;
  return sort;
}

const A = 97;
const letterAt = (code: number, first: number): string | undefined =>
  code >= first && code < first + 26 ? String.fromCharCode(A + code - first) : undefined;

/** Latin letters in shapes that folding does not change. */
const SHAPES: ReadonlyMap<string, string> = new Map(
  [
    ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
    ['øłđħŧƀɓɗƙɨʉ', 'oldhtbbdkiu'],
  ].flatMap(([from = '', to = '']) => Array.from(from).map((one, at) => [one, to[at] ?? ''])),
);

/** Squared, circled and flag letters, which have no decomposition. */
const plainShape = (code: number): string | undefined =>
  letterAt(code, 0x1f150) ?? letterAt(code, 0x1f170) ?? letterAt(code, 0x1f1e6);

/**
 * Maximum number of characters that one character is normalized to. An Arabic ligature would become
 * 18, which would make a text 18 times as long.
 */
const MAX_NORMALIZED = 8;

/** Normalizes a code point: folded, with plain Latin letters and without invisible characters. */
const bare = cacheByCharacter((character) =>
  Array.from(
    plainShape(character.codePointAt(0) ?? 0) ?? foldCodePoint(character),
    (one) => SHAPES.get(one) ?? one,
  )
    .filter((one) => classOfCodePoint(one.codePointAt(0) ?? 0) !== CharacterClass.Invisible)
    .slice(0, MAX_NORMALIZED)
    .join(''),
);

/**
 * Normalizes a text for the search for banned words: width, case, accents, traditional forms and
 * letter shapes no longer differ, and invisible characters are removed.
 */
export function plain(text: string): string {
  let result = '';
  for (const character of text) result += bare(character);
  return result;
}

/**
 * Where the characters of a normalized text are in the text that it comes from: the index of the
 * source of each, and at last the length of the source.
 */
export function plainIndexes(text: string): Int32Array {
  const indexes: number[] = [];
  let at = 0;
  for (const character of text) {
    for (let left = bare(character).length; left > 0; left -= 1) indexes.push(at);
    at += character.length;
  }
  indexes.push(text.length);
  return Int32Array.from(indexes);
}
