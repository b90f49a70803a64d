import { fold, withoutPunctuation } from './fold';

/** Maximum number of words of a query, and of index terms per word. */
const MAX_WORDS = 16;
const MAX_TERMS = 24;
/** Maximum number of different words in a query: each is compared with every candidate. */
const MAX_COMPARED = 200;

/** Adds pairs of characters and the last character: every character begins a term. */
function addTerms(word: string, terms: Set<string>): void {
  let before = '';
  for (const character of word) {
    if (before !== '') terms.add(before + character);
    before = character;
  }
  terms.add(before);
}

/**
 * Prefix of codes such as ISBNs, which are indexed unsplit: their pairs of digits would match too
 * many books. Text never contains it.
 */
const CODE_MARK = '\u0002';

/** A word that may be the prefix of a code. */
const CODE = /^[0-9]{3,40}x?$/;

/** The search data of a subject. */
export interface SearchText {
  /** The folded title. */
  readonly title: string;
  /** All folded fields between newlines, so that complete fields can be matched. */
  readonly body: string;
  /** Adjacent pairs of characters inside words, and the last character of each word. */
  readonly terms: readonly string[];
}

/** Search data of a subject: its title, other fields, and codes, which match by prefix (D28). */
export function searchText(
  title: string,
  others: readonly string[],
  codes: readonly string[] = [],
): SearchText {
  const foldedTitle = fold(title);
  const plain = [foldedTitle, ...others.map(fold)].filter((field) => field !== '');
  // Variants without middle dots, colons and quotation marks, as users type them.
  const squeezed = plain.map((field) => withoutPunctuation(field));
  const fields = [...new Set([...plain, ...squeezed])].filter((field) => field !== '');
  const terms = new Set<string>();
  for (const field of fields) for (const word of field.split(' ')) addTerms(word, terms);
  const folded = codes.map(fold);
  for (const code of folded) terms.add(CODE_MARK + code);
  return {
    title: foldedTitle,
    body: `\n${[...fields, ...folded].join('\n')}\n`,
    terms: [...terms],
  };
}

/** A parsed query. */
export interface SearchQuery {
  /** The folded query. */
  readonly phrase: string;
  /** The required index terms as a `tsquery`. */
  readonly tsquery: string;
  /** LIKE patterns for the body, where the index is not exact. */
  readonly patterns: readonly string[];
}

const quoteLexeme = (term: string): string => {
  const quoted = `'${term.replace(/['\\]/g, '$&$&')}'`;
  // A single character matches the pairs that begin with it.
  return Array.from(term).length === 1 ? `${quoted}:*` : quoted;
};

const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** Index terms of a word: its pairs, or its single character. */
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
 * Parses a query for subjects that contain every word. It has no operators or wildcards (D28).
 * Undefined without words, and with more than 200 different words.
 */
export function searchQuery(text: string): SearchQuery | undefined {
  return queryFor(fold(text));
}

/** The query without punctuation, as a fallback; undefined when it has none. */
export function looseQuery(text: string): SearchQuery | undefined {
  const folded = fold(text);
  const loose = withoutPunctuation(folded);
  return loose === folded ? undefined : queryFor(loose);
}

/** Index query of a word: its pairs, or a code prefix. */
function queryWord(word: string, terms: readonly string[]): string {
  const pairs = terms.map(quoteLexeme).join(' & ');
  return CODE.test(word) ? `((${pairs}) | ${quoteLexeme(CODE_MARK + word)}:*)` : pairs;
}

function queryFor(phrase: string): SearchQuery | undefined {
  const words = [...new Set(phrase.split(' ').filter((word) => word !== ''))];
  // No record has so many words in its title and names.
  if (words.length === 0 || words.length > MAX_COMPARED) return undefined;
  let left = MAX_TERMS;
  const asked = words.slice(0, MAX_WORDS).flatMap((word) => {
    const terms = queryTerms(word).slice(0, left);
    left -= terms.length;
    return terms.length === 0 ? [] : [queryWord(word, terms)];
  });
  // One or two characters are exactly one term, so the index is exact.
  const long = words.filter((word, at) => at >= MAX_WORDS || Array.from(word).length > 2);
  return {
    phrase,
    tsquery: asked.join(' & '),
    patterns: (left > 0 ? long : words).map(likePattern),
  };
}
