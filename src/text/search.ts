import { ApiError } from '../api/errors/errors';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { fold } from './fold';
import { type SearchedBy } from './search-sql';
import { looseQuery, searchQuery, type SearchQuery } from './terms';

/** Words, a tag, or both, as a caller gives them. */
export interface Searched {
  readonly q?: string;
  readonly tag?: string;
}

/** What is looked for: by which statement, and the parameters that it has for it. */
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
 * A page of what `find` finds (D28). When nothing has the words as they were typed, they are looked
 * for again without their punctuation.
 *
 * @throws ApiError 1002 when neither words nor tag are given (specification section 4, D37)
 */
export async function search<T>(
  { q, tag: givenTag }: Searched,
  page: PageQuery,
  find: (wanted: Wanted) => Promise<Page<T>>,
): Promise<Page<T>> {
  if (q === undefined && givenTag === undefined) {
    throw new ApiError('missingArgs', { detail: 'one of q and tag is needed' });
  }
  const query = searchQuery(q ?? '');
  const tag = fold(givenTag ?? '');
  // A lone accent, say, says nothing that could be looked for.
  if ((q !== undefined && !query) || (givenTag !== undefined && tag === '')) {
    return slicePage([], page);
  }
  const found = await find(wanted(query, tag));
  // Nothing has the words as they were typed: quotation marks or dots may be in the way.
  const loose = found.total === 0 ? looseQuery(q ?? '') : undefined;
  return loose ? find(wanted(loose, tag)) : found;
}
