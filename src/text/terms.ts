import { fold, withoutPunctuation } from './fold';

/** Words of a query that are looked at, and terms of each that the index is asked for. */
const MAX_WORDS = 16;
const MAX_TERMS = 24;

/** Pairs of characters, and the last one alone: every character begins one of a word's terms. */
function addTerms(word: string, terms: Set<string>): void {
  let before = '';
  for (const character of word) {
    if (before !== '') terms.add(before + character);
    before = character;
  }
  terms.add(before);
}

/**
 * Begins the terms of codes such as ISBNs, which are kept whole: their pairs of digits are in every
 * fifth book and tell nothing. Text never holds it.
 */
const CODE_MARK = '\u0002';

/** A word that may be the beginning of a code. */
const CODE = /^[0-9]{3,40}x?$/;

/** What a search table keeps of a subject. */
export interface SearchText {
  /** The folded title. */
  readonly title: string;
  /** All folded fields, each between newlines, so that a whole field can be recognised. */
  readonly body: string;
  /** Pairs of characters as they follow each other inside words, and the last of each word. */
  readonly terms: readonly string[];
}

/**
 * Text to find a subject by: its title first, then every other field, then codes, which are found
 * by their beginning (D28).
 */
export function searchText(
  title: string,
  others: readonly string[],
  codes: readonly string[] = [],
): SearchText {
  const plain = [title, ...others].map(fold).filter((field) => field !== '');
  // As they are typed, too: without middle dots, colons and quotation marks.
  const squeezed = plain.map((field) => withoutPunctuation(field));
  const fields = [...new Set([...plain, ...squeezed])].filter((field) => field !== '');
  const terms = new Set<string>();
  for (const field of fields) for (const word of field.split(' ')) addTerms(word, terms);
  const folded = codes.map(fold);
  for (const code of folded) terms.add(CODE_MARK + code);
  return {
    title: fold(title),
    body: `\n${[...fields, ...folded].join('\n')}\n`,
    terms: [...terms],
  };
}

/** A query, ready for the search statement. */
export interface SearchQuery {
  /** The whole query, folded. */
  readonly phrase: string;
  /** For the index: every term that a match must have, as a `tsquery`. */
  readonly tsquery: string;
  /** LIKE patterns that the body must match, where the index alone would let too much through. */
  readonly patterns: readonly string[];
}

const quoteLexeme = (term: string): string => {
  const quoted = `'${term.replace(/['\\]/g, '$&$&')}'`;
  // A character alone is found by the pairs that it begins.
  return Array.from(term).length === 1 ? `${quoted}:*` : quoted;
};

const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** Terms of a word for the index: pairs, which imply their characters, or its one character. */
function queryTerms(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < characters.length; at += 1) {
    pairs.add(`${characters[at]}${characters[at + 1]}`);
  }
  return [...pairs];
}

/**
 * What to ask for: subjects that hold every word of the query. Nothing in it is an operator or a
 * wildcard (D28). Undefined when the query has no word.
 */
export function searchQuery(text: string): SearchQuery | undefined {
  return queryFor(fold(text));
}

/** The same without punctuation, for when that finds nothing; undefined when it has none. */
export function looseQuery(text: string): SearchQuery | undefined {
  const folded = fold(text);
  const loose = withoutPunctuation(folded);
  return loose === folded ? undefined : queryFor(loose);
}

/** What the index is asked for a word: its pairs, or a code that begins so. */
function queryWord(word: string, terms: readonly string[]): string {
  const pairs = terms.map(quoteLexeme).join(' & ');
  return CODE.test(word) ? `((${pairs}) | ${quoteLexeme(CODE_MARK + word)}:*)` : pairs;
}

function queryFor(phrase: string): SearchQuery | undefined {
  const words = [...new Set(phrase.split(' ').filter((word) => word !== ''))];
  if (words.length === 0) return undefined;
  let left = MAX_TERMS;
  const asked = words.slice(0, MAX_WORDS).flatMap((word) => {
    const terms = queryTerms(word).slice(0, left);
    left -= terms.length;
    return terms.length === 0 ? [] : [queryWord(word, terms)];
  });
  // One or two characters are exactly one term: the index's answer needs no second look.
  const long = words.filter((word, at) => at >= MAX_WORDS || Array.from(word).length > 2);
  return {
    phrase,
    tsquery: asked.join(' & '),
    patterns: (left > 0 ? long : words).map(likePattern),
  };
}
