import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access';
import { QueryInput } from '../api/input';
import { type Page, type PageQuery } from '../api/page';
import {
  Calling,
  ExpensiveRoute,
  Fields,
  IdParam,
  NameParam,
  Paging,
  Responds,
  RespondsList,
  Scopes,
  Summary,
} from '../api/route';
import { SearchInput } from '../text/search.input';
import { Book } from './books.resources';
import { type BookRow } from './books.rows';
import { BooksService } from './books.service';
import { SearchService } from './search.service';

/** Books themselves. Paths with fixed words stand before those with wildcards. */
@Controller('v2/book')
export class BooksController {
  constructor(
    private readonly books: BooksService,
    private readonly searches: SearchService,
  ) {}

  @Get('search')
  @ExpensiveRoute('search')
  @Scopes('book_basic_r')
  @Fields()
  @RespondsList('books', Book)
  @Summary('Search books by words, by tag, or by both')
  search(
    @QueryInput(SearchInput) input: SearchInput,
    @Paging() page: PageQuery,
    @Calling() caller: Caller,
  ): Promise<Page<BookRow>> {
    return this.searches.search(input, page, caller);
  }

  @Get('isbn/:name')
  @Scopes('book_basic_r')
  @Fields()
  @Responds(Book)
  @Summary('A book by its ISBN-10 or ISBN-13, with or without hyphens')
  byIsbn(@NameParam('name') isbn: string, @Calling() caller: Caller): Promise<BookRow> {
    return this.books.byIsbn(isbn, caller);
  }

  @Get('series/:id/books')
  @Scopes('book_basic_r')
  @Fields()
  @RespondsList('books', Book)
  @Summary('Books of a series, by publication')
  inSeries(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @Calling() caller: Caller,
  ): Promise<Page<BookRow>> {
    return this.books.inSeries(id, page, caller);
  }

  @Get(':id')
  @Scopes('book_basic_r')
  @Fields()
  @Responds(Book)
  @Summary('A book by its id')
  byId(@IdParam('id') id: number, @Calling() caller: Caller): Promise<BookRow> {
    return this.books.byId(id, caller);
  }
}
