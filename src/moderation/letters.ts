import { CharacterClass, classOfCodePoint } from './characters';

/**
 * The letters of a text in order, and the gaps between them. Positions count letters; a gap belongs
 * to the letter after it.
 */
export interface Letters {
  readonly length: number;
  /** Code points. */
  readonly codes: Int32Array;
  /** 1 where a word may begin or end: not inside a run of letters, nor where digits follow one. */
  readonly begins: Uint8Array;
  readonly ends: Uint8Array;
  /** Cumulative counts of all gaps, of word gaps and of clause gaps. */
  readonly gaps: Int32Array;
  readonly wordBreaks: Int32Array;
  readonly clauseBreaks: Int32Array;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Bits for the characters between two letters. */
const MARK = 1;
const APART = 2;
const SENTENCE = 4;

function gapOf(sort: CharacterClass): number {
  if (sort === CharacterClass.Sentence) return SENTENCE;
  return sort === CharacterClass.Space || sort === CharacterClass.Apostrophe ? APART : MARK;
}

/**
 * Marks where words may begin and end in a run of letters. Adjacent digits are not part of the run.
 */
function markRun(
  codes: Int32Array,
  from: number,
  to: number,
  begins: Uint8Array,
  ends: Uint8Array,
) {
  begins[from] = 1;
  ends[to - 1] = 1;
  let first = from;
  while (first < to && isDigit(codes[first] as number)) first += 1;
  if (first < to) begins[first] = 1;
  let last = to - 1;
  while (last >= from && isDigit(codes[last] as number)) last -= 1;
  if (last >= from) ends[last] = 1;
}

/** Where the letters of {@link lettersOf} are in their text. */
export interface LetterPositions {
  readonly indexes: Int32Array;
  /** Cumulative counts of the characters before each letter that are neither letters nor spaces. */
  readonly marks: Int32Array;
}

/** The positions of the letters of a normalized text. */
export function letterPositions(text: string): LetterPositions {
  const [indexes, marks] = [new Int32Array(text.length), new Int32Array(text.length)];
  let [length, seen] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    const sort = classOfCodePoint(code);
    if (sort >= CharacterClass.Letter) {
      indexes[length] = at;
      marks[length] = seen;
      length += 1;
    } else if (sort !== CharacterClass.Space) seen += 1;
    if (code > 0xffff) at += 1;
  }
  return { indexes, marks };
}

/** The letters of a normalized text (see `plain`). */
export function lettersOf(text: string): Letters {
  const codes = new Int32Array(text.length);
  const before = new Uint8Array(text.length);
  const isLetter = new Uint8Array(text.length);
  let length = 0;
  let gap = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    const sort = classOfCodePoint(code);
    if (sort < CharacterClass.Letter) {
      if (sort !== CharacterClass.Invisible) gap |= gapOf(sort);
      continue;
    }
    codes[length] = code;
    before[length] = length === 0 ? 0 : gap;
    isLetter[length] = Number(sort === CharacterClass.Letter);
    length += 1;
    gap = 0;
  }
  return measure(codes, before, isLetter, length);
}

function measure(
  codes: Int32Array,
  before: Uint8Array,
  isLetter: Uint8Array,
  length: number,
): Letters {
  const [begins, ends] = [new Uint8Array(length), new Uint8Array(length)];
  const [gaps, wordBreaks, clauseBreaks] = [0, 1, 2].map(() => new Int32Array(length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  // The length of the previous run, if the next one can be joined to it.
  let earlier = 0;
  let from = 0;
  while (from < length) {
    let to = from + 1;
    const run = isLetter[from] === 1;
    if (run) {
      while (to < length && isLetter[to] === 1 && before[to] === 0) to += 1;
      markRun(codes, from, to, begins, ends);
    } else {
      begins[from] = 1;
      ends[from] = 1;
    }
    const size = run ? to - from : 0;
    const gap = before[from] as number;
    const words = earlier > 0 && size > 0 && earlier + size > 2;
    const isWordBreak = words && (gap & (APART | SENTENCE)) !== 0;
    for (let at = from; at < to; at += 1) {
      const first = at === from;
      gaps[at] = (gaps[at - 1] ?? 0) + Number(first && gap !== 0);
      wordBreaks[at] = (wordBreaks[at - 1] ?? 0) + Number(first && isWordBreak);
      clauseBreaks[at] =
        (clauseBreaks[at - 1] ?? 0) + Number(first && !isWordBreak && (gap & SENTENCE) !== 0);
    }
    earlier = size;
    from = to;
  }
  return { length, codes, begins, ends, gaps, wordBreaks, clauseBreaks };
}
