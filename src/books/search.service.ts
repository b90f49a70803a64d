import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access';
import { ApiError } from '../api/errors';
import { slicePage, type Page, type PageQuery } from '../api/page';
import { fold } from '../text/fold';
import { looseQuery, searchQuery } from '../text/terms';
import { type BookRow } from './books.rows';
import { type SearchInput } from './books.input';
import { bareIsbn, isbnForms } from './isbn';
import { SearchRepository } from './search.repository';

/** An ISBN is indexed without its hyphens. */
const withoutHyphens = (q: string): string => (isbnForms(q).length > 0 ? bareIsbn(q) : q);

@Injectable()
export class SearchService {
  constructor(private readonly books: SearchRepository) {}

  /** @throws ApiError 1002 when neither `q` nor `tag` says anything (specification section 4.1) */
  async search(input: SearchInput, page: PageQuery, caller: Caller): Promise<Page<BookRow>> {
    if (input.q === undefined && input.tag === undefined) {
      throw new ApiError('missingArgs', { detail: 'one of q and tag is needed' });
    }
    const query = searchQuery(withoutHyphens(input.q ?? ''));
    const tag = fold(input.tag ?? '');
    // A lone accent, say, says nothing that could be looked for.
    if ((input.q !== undefined && !query) || (input.tag !== undefined && tag === '')) {
      return slicePage([], page);
    }
    const folded = tag === '' ? undefined : tag;
    const found = await this.books.search(query, folded, page, caller.user?.id);
    // Nothing has the words as they were typed: quotation marks or dots may be in the way.
    const loose = found.total === 0 ? looseQuery(input.q ?? '') : undefined;
    return loose ? this.books.search(loose, folded, page, caller.user?.id) : found;
  }
}
