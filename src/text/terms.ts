import { fold, withoutPunctuation } from './fold';

/** Maximum number of words of a query, and of index terms per word. */
const MAX_WORDS = 16;
const MAX_TERMS = 24;
/** Maximum number of different words in a query: each is compared with every candidate. */
const MAX_COMPARED = 200;

/**
 * Length of the term at an index of a word: three characters if the first is below U+2E80, the first
 * CJK block, otherwise two. Many titles share pairs of letters.
 */
const termLength = (word: string, at: number): 2 | 3 =>
  (word.codePointAt(at) as number) < 0x2e80 ? 3 : 2;

/** The index of the next character. */
const nextIndex = (word: string, at: number): number =>
  at + ((word.codePointAt(at) as number) > 0xffff ? 2 : 1);

/**
 * Calls a function with the term that begins with each character of a word. The last terms are not
 * complete: they end with the word.
 */
function forEachTerm(word: string, visit: (term: string, isComplete: boolean) => void): void {
  for (let at = 0; at < word.length; at = nextIndex(word, at)) {
    let left: number = termLength(word, at);
    let end = at;
    for (; left > 0 && end < word.length; left -= 1) end = nextIndex(word, end);
    visit(word.slice(at, end), left === 0);
  }
}

/**
 * Prefix of codes such as ISBNs, which are indexed unsplit: their digits would match too many
 * books. Text never contains it.
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
  /** The n-gram that begins at each character of each word, and codes with a marker. */
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
  for (const field of fields)
    for (const word of field.split(' ')) forEachTerm(word, (term) => terms.add(term));
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

const quoteLexeme = (term: string): string => `'${term.replace(/['\\]/g, '$&$&')}'`;

const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** The index terms of a word as a `tsquery`, and whether they prove that a text has the word. */
interface QueryWord {
  readonly terms: readonly string[];
  readonly isExact: boolean;
}

/** A word that is shorter than each term that it begins is searched as the prefix of terms. */
function queryWord(word: string): QueryWord {
  const terms = new Set<string>();
  forEachTerm(word, (term, isComplete) => {
    if (isComplete) terms.add(term);
  });
  if (terms.size === 0) return { terms: [`${quoteLexeme(word)}:*`], isExact: true };
  return { terms: [...terms].map(quoteLexeme), isExact: terms.has(word) };
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

/** Index query of a word: its terms, or a code prefix. */
function indexQuery(word: string, terms: readonly string[]): string {
  const all = terms.join(' & ');
  return CODE.test(word) ? `((${all}) | ${quoteLexeme(CODE_MARK + word)}:*)` : all;
}

function queryFor(phrase: string): SearchQuery | undefined {
  const words = [...new Set(phrase.split(' ').filter((word) => word !== ''))];
  // No record has so many words in its title and names.
  if (words.length === 0 || words.length > MAX_COMPARED) return undefined;
  let left = MAX_TERMS;
  const inexact = new Set(words.slice(MAX_WORDS));
  const asked = words.slice(0, MAX_WORDS).flatMap((word) => {
    const { terms, isExact } = queryWord(word);
    const used = terms.slice(0, left);
    left -= used.length;
    if (!isExact || used.length < terms.length) inexact.add(word);
    return used.length === 0 ? [] : [indexQuery(word, used)];
  });
  return {
    phrase,
    tsquery: asked.join(' & '),
    patterns: words.filter((word) => inexact.has(word)).map(likePattern),
  };
}
