import { ApiError } from '../api/errors/error-codes';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { fold } from './fold';
import { type SearchedBy } from './search-sql';
import { looseQuery, searchQuery, type SearchQuery } from './terms';

/** Words, a tag, or both, as the caller typed them. */
export interface Searched {
  readonly q?: string;
  readonly tag?: string;
}

/** The statement and parameters of a search. */
export interface Wanted {
  readonly by: SearchedBy;
  readonly values: readonly unknown[];
}

function wanted(query: SearchQuery | undefined, tag: string): Wanted {
  const words = query ? [query.phrase, query.tsquery, query.patterns] : [];
  if (tag === '') return { by: 'q', values: words };
  return { by: query ? 'both' : 'tag', values: [...words, tag] };
}

/**
 * A page of search results (D28). Without results, the search is repeated without punctuation.
 * @throws ApiError 1002 when neither words nor tag are given (specification section 4, D37)
 */
export async function search<T>(
  { q, tag: givenTag }: Searched,
  page: PageQuery,
  find: (wanted: Wanted) => Promise<Page<T>>,
): Promise<Page<T>> {
  if (q === undefined && givenTag === undefined) {
    throw new ApiError('missingArgs', { detail: 'q or tag is required' });
  }
  const query = searchQuery(q ?? '');
  const tag = fold(givenTag ?? '');
  // For example, a single accent contains nothing to search for.
  if ((q !== undefined && !query) || (givenTag !== undefined && tag === '')) {
    return slicePage([], page);
  }
  const found = await find(wanted(query, tag));
  // No result for the words as typed: quotation marks or dots may prevent a match.
  const loose = found.total === 0 ? looseQuery(q ?? '') : undefined;
  return loose ? find(wanted(loose, tag)) : found;
}
