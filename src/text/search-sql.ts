/** Full-text search: matches and their order, for `paginated`. */
export interface SearchHits {
  readonly hits: string;
  readonly order: readonly string[];
}

/** The statements of a search: by words, by tag, or by both. */
export type SearchedBy = 'q' | 'tag' | 'both';

// Exact, prefix, phrase, then all words; the title before other fields (D28).
export const rank = (phrase: string): string => `CASE
  WHEN s.title = ${phrase} THEN 0
  WHEN strpos(s.body, E'\\n' || ${phrase} || E'\\n') > 0 THEN 1
  WHEN starts_with(s.title, ${phrase}) THEN 2
  WHEN strpos(s.title, ${phrase}) > 0 THEN 3
  WHEN strpos(s.body, ${phrase}) > 0 THEN 4
  ELSE 5 END`;

/** The tables of a search. */
export interface SearchTables {
  /** Table of search texts. */
  readonly texts: string;
  /** Table of tags. */
  readonly tags: string;
  /** The key column of both. */
  readonly key: string;
}

/** The tables and the parameters of a search in a statement. */
export interface SearchPlace extends SearchTables {
  /** Number of the statement's first parameter of {@link import('./search').Wanted}. */
  readonly first: number;
}

export const BOOK_SEARCH = {
  texts: 'book_search',
  tags: 'book_tags',
  key: 'book_id',
} as const satisfies SearchTables;

export const SUBJECT_SEARCH = {
  texts: 'subject_search',
  tags: 'subject_tags',
  key: 'subject_id',
} as const satisfies SearchTables;

/** Statement parts for searches by words, with and without a tag (D28). */
export function searchHits(place: SearchPlace): Record<'q' | 'both', SearchHits> {
  const { texts, tags, key, first } = place;
  const words = `SELECT s.${key}, s.popularity, ${rank(`$${first}`)} AS rank FROM ${texts} s
    WHERE s.terms @@ $${first + 1}::tsquery AND s.body LIKE ALL ($${first + 2}::text[])`;
  const tagged = `EXISTS (SELECT 1 FROM ${tags} t
    WHERE t.${key} = s.${key} AND t.folded = $${first + 3})`;
  return {
    q: { hits: words, order: ['rank', 'popularity DESC', key] },
    both: { hits: `${words} AND ${tagged}`, order: ['rank', 'popularity DESC', key] },
  };
}
