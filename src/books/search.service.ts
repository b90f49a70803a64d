import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { search } from '../text/search';
import { type SearchInput } from '../text/search.input';
import { type BookRow } from './books.rows';
import { bareIsbn, isbnForms } from './isbn';
import { SearchRepository } from './search.repository';

/** An ISBN is indexed without its hyphens. */
const withoutHyphens = (q: string): string => (isbnForms(q).length > 0 ? bareIsbn(q) : q);

@Injectable()
export class SearchService {
  constructor(private readonly books: SearchRepository) {}

  /** @throws ApiError 1002 when `q` and `tag` are both empty (specification section 4.1) */
  search({ q, tag }: SearchInput, page: PageQuery, caller: Caller): Promise<Page<BookRow>> {
    const searched = { q: q === undefined ? undefined : withoutHyphens(q), tag };
    return search(searched, page, (wanted) => this.books.search(wanted, page, caller.user?.id));
  }
}
