import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access';
import { ApiError } from '../api/errors';
import { type Page, type PageQuery } from '../api/page';
import { fold } from '../text/fold';
import { searchQuery } from '../text/terms';
import { type BookRow } from './books.rows';
import { type SearchInput } from './books.input';
import { SearchRepository } from './search.repository';

@Injectable()
export class SearchService {
  constructor(private readonly books: SearchRepository) {}

  /** @throws ApiError 1002 when neither `q` nor `tag` says anything (specification section 4.1) */
  search(input: SearchInput, page: PageQuery, caller: Caller): Promise<Page<BookRow>> {
    const query = searchQuery(input.q ?? '');
    const tag = fold(input.tag ?? '');
    if (!query && tag === '') {
      throw new ApiError('missingArgs', { detail: 'one of q and tag is needed' });
    }
    return this.books.search(query, tag === '' ? undefined : tag, page, caller.user?.id);
  }
}
