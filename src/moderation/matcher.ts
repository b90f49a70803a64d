import { plain, plainIndexes } from './characters';
import { indexedVariants, variants } from './deobfuscation';
import { letterPositions, lettersOf, type Letters } from './letters';

/** The action for texts with a banned word: refuse them with 1004, or hold them for moderation. */
export type Action = 'refuse' | 'hold';

export interface BannedWord {
  readonly word: string;
  readonly action: Action;
}

/** A banned word in search form. */
interface Pattern {
  readonly codes: Int32Array;
  /** Indexes of letters that follow a gap inside the word. */
  readonly gaps: ReadonlySet<number>;
}

function patternOf(word: string): Pattern | undefined {
  const { length, codes, wordBreaks, clauseBreaks } = lettersOf(plain(word));
  if (length === 0) return undefined;
  const gaps = new Set<number>();
  for (let at = 1; at < length; at += 1) {
    if (wordBreaks[at] !== wordBreaks[at - 1] || clauseBreaks[at] !== clauseBreaks[at - 1])
      gaps.add(at);
  }
  return { codes: codes.slice(0, length), gaps };
}

/**
 * The normalized form that identifies a word; empty for a word without letters, which cannot match.
 */
export function keyOf(word: string): string {
  const pattern = patternOf(word);
  if (!pattern) return '';
  const letters = Array.from(pattern.codes, (code) => String.fromCodePoint(code));
  return letters.map((letter, at) => (pattern.gaps.has(at) ? ` ${letter}` : letter)).join('');
}

/** Maximum number of words that are found in a text. */
export const MAX_FOUND = 20;

const ROOT = 0;
/** No pattern, no state, no letter. */
const NONE = -1;

/**
 * Finds any of many words in a text in one pass (Aho and Corasick, 1975). States are rows of typed
 * arrays and transitions are in one hash table, so that 20,000 words need little memory and are
 * built quickly.
 */
export class Matcher {
  private readonly patterns: Pattern[] = [];
  private readonly words: BannedWord[] = [];
  /** Indexes of the words' code points, from 0. */
  private readonly numbers: Int32Array;
  private readonly parent: Int32Array;
  private readonly letter: Int32Array;
  private readonly depth: Int32Array;
  private readonly fail: Int32Array;
  /** The pattern that ends at a state; patterns with the same letters are linked by `next`. */
  private readonly ending: Int32Array;
  private readonly next: Int32Array;
  /** The nearest state on the failure path where a pattern ends. */
  private readonly shorter: Int32Array;
  private readonly fromRoot: Int32Array;
  private readonly table: Int32Array;
  private states = 1;

  constructor(words: readonly BannedWord[]) {
    let letters = 1;
    let highest = 0;
    for (const word of words) {
      const pattern = patternOf(word.word);
      if (!pattern) continue;
      this.patterns.push(pattern);
      this.words.push(word);
      letters += pattern.codes.length;
      for (const code of pattern.codes) highest = Math.max(highest, code);
    }
    this.numbers = new Int32Array(highest + 1).fill(NONE);
    let numbered = 0;
    for (const { codes } of this.patterns) {
      for (const code of codes) {
        if (this.numbers[code] !== NONE) continue;
        this.numbers[code] = numbered;
        numbered += 1;
      }
    }
    const rows = () => new Int32Array(letters).fill(NONE);
    [this.parent, this.letter, this.ending, this.shorter] = [rows(), rows(), rows(), rows()];
    [this.depth, this.fail] = [new Int32Array(letters), new Int32Array(letters)];
    this.next = new Int32Array(this.patterns.length).fill(NONE);
    this.fromRoot = new Int32Array(numbered).fill(NONE);
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(letters * 2 + 2))).fill(NONE);
    for (const at of this.patterns.keys()) this.add(at);
    this.link();
  }

  /** Whether it has no words, so that nothing matches. */
  get isEmpty(): boolean {
    return this.patterns.length === 0;
  }

  /** The slot of a transition in the table, or the free slot for it. */
  private place(state: number, number: number): number {
    const mask = this.table.length - 1;
    let at = (Math.imul(state, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) >>> 0;
    for (at &= mask; ; at = (at + 1) & mask) {
      const found = this.table[at] as number;
      if (found === NONE) return at;
      if (this.parent[found] === state && this.letter[found] === number) return at;
    }
  }

  private step(state: number, number: number): number {
    if (state === ROOT) return this.fromRoot[number] as number;
    return this.table[this.place(state, number)] as number;
  }

  private add(index: number): void {
    let state = ROOT;
    for (const code of (this.patterns[index] as Pattern).codes) {
      const number = this.numbers[code] as number;
      let to = this.step(state, number);
      if (to === NONE) {
        to = this.states;
        this.states += 1;
        this.parent[to] = state;
        this.letter[to] = number;
        this.depth[to] = (this.depth[state] as number) + 1;
        if (state === ROOT) this.fromRoot[number] = to;
        else this.table[this.place(state, number)] = to;
      }
      state = to;
    }
    this.next[index] = this.ending[state] as number;
    this.ending[state] = index;
  }

  /** Computes failure links in breadth-first order. */
  private link(): void {
    const order = Int32Array.from({ length: this.states }, (_, state) => state);
    order.sort((one, other) => (this.depth[one] as number) - (this.depth[other] as number));
    for (const state of order) {
      if (state === ROOT) continue;
      const parent = this.parent[state] as number;
      const number = this.letter[state] as number;
      const fail = parent === ROOT ? ROOT : this.follow(this.fail[parent] as number, number);
      this.fail[state] = fail;
      this.shorter[state] = this.ending[fail] === NONE ? (this.shorter[fail] as number) : fail;
    }
  }

  /** The next state after a letter, following failure links. */
  private follow(from: number, number: number): number {
    for (let state = from; ; state = this.fail[state] as number) {
      const to = this.step(state, number);
      if (to !== NONE) return to;
      if (state === ROOT) return ROOT;
    }
  }

  /**
   * The distinct words in a text: only the first word that refuses it, or up to `limit` words that
   * hold it.
   */
  find(text: string, limit = MAX_FOUND): BannedWord[] {
    return this.isEmpty ? [] : this.findIn(plain(text), limit);
  }

  /** Like {@link find}, in a normalized text (see {@link plain}). */
  findIn(normalized: string, limit = MAX_FOUND): BannedWord[] {
    const found = new Set<BannedWord>();
    for (const reading of variants(normalized)) {
      const refusing = this.search(lettersOf(reading), found, limit);
      if (refusing) return [refusing];
    }
    return [...found];
  }

  /**
   * Where the words are in a text, also in disguise, in one pass for all words. Parts of longer words
   * are found as well, in any case and with spaces between letters, so that a moderator sees them.
   * @returns the ends of the longest occurrences by their starts, in UTF-16 code units; 0 for none
   */
  locate(text: string): Int32Array {
    const ends = new Int32Array(text.length);
    if (this.isEmpty) return ends;
    const source = plainIndexes(text);
    const normalized = plain(text);
    for (const [variant, indexes] of indexedVariants(normalized)) {
      const letters = lettersOf(variant);
      const positions = letterPositions(variant);
      const { marks } = positions;
      const sourceOf = (index: number): number =>
        source[indexes[index] ?? normalized.length] as number;
      this.session(letters, (pattern, to) => {
        const from = to - pattern.codes.length + 1;
        const isSpaced = variant === normalized && marks[from] === marks[to];
        if (!isSpaced && !fits(letters, pattern, to)) return false;
        const start = sourceOf(positions.indexes[from] as number);
        let last = positions.indexes[to] as number;
        const lastStart = sourceOf(last);
        // A character may be normalized to several, and invisible ones after it belong to it.
        while (sourceOf(last) === lastStart) last += 1;
        ends[start] = Math.max(ends[start] as number, sourceOf(last));
        return false;
      });
    }
    return ends;
  }

  private search(letters: Letters, found: Set<BannedWord>, limit: number): BannedWord | undefined {
    let refusing: BannedWord | undefined;
    this.session(letters, (pattern, to, word) => {
      if (!fits(letters, pattern, to)) return false;
      if (word.action === 'refuse') refusing = word;
      else if (found.size < limit) found.add(word);
      return refusing !== undefined;
    });
    return refusing;
  }

  /**
   * Visits the letters that are those of a word, by the index of the last letter.
   * @param visitor returns whether the search ends
   */
  private session(
    letters: Letters,
    visitor: (pattern: Pattern, to: number, word: BannedWord) => boolean,
  ): void {
    let state = ROOT;
    for (let at = 0; at < letters.length; at += 1) {
      const number = this.numbers[letters.codes[at] as number] ?? NONE;
      if (number === NONE) {
        state = ROOT;
        continue;
      }
      state = this.follow(state, number);
      let end = this.ending[state] === NONE ? (this.shorter[state] as number) : state;
      for (; end !== NONE; end = this.shorter[end] as number) {
        for (let index = this.ending[end] as number; index !== NONE;) {
          const word = this.words[index] as BannedWord;
          if (visitor(this.patterns[index] as Pattern, at, word)) return;
          index = this.next[index] as number;
        }
      }
    }
  }
}

/**
 * Whether the matched letters are the pattern's word and not parts of several adjacent words. Words
 * must match completely, and spaces separate words. A comma or bracket separates as well, unless
 * all of three or more letters are separated, which only occurs in obfuscated words.
 */
function fits(letters: Letters, { codes, gaps }: Pattern, to: number): boolean {
  const from = to - codes.length + 1;
  if (letters.begins[from] === 0 || letters.ends[to] === 0) return false;
  const { wordBreaks, clauseBreaks } = letters;
  if (wordBreaks[to] === wordBreaks[from] && clauseBreaks[to] === clauseBreaks[from]) return true;
  let hasClauseBreak = false;
  for (let at = from + 1; at <= to; at += 1) {
    if (gaps.has(at - from)) continue;
    if (wordBreaks[at] !== wordBreaks[at - 1]) return false;
    hasClauseBreak ||= clauseBreaks[at] !== clauseBreaks[at - 1];
  }
  if (!hasClauseBreak) return true;
  const between = (letters.gaps[to] as number) - (letters.gaps[from] as number);
  return codes.length >= 3 && between === codes.length - 1;
}
