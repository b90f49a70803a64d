import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access';
import { ApiError } from '../api/errors';
import { slicePage, type Page, type PageQuery } from '../api/page';
import { fold } from '../text/fold';
import { searchQuery } from '../text/terms';
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
    return this.books.search(query, tag === '' ? undefined : tag, page, caller.user?.id);
  }
}
