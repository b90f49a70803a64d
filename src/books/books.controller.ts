import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { QueryInput } from '../api/input/input';
import { MISSING_MEMBER } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Errors,
  Cached,
  CurrentCaller,
  ExpensiveRoute,
  Extension,
  Fields,
  IdParam,
  NameParam,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
} from '../api/routing/route';
import { SearchInput } from '../text/search.input';
import { BooksInput } from './books.input';
import { Book } from './books.resources';
import { type BookRow } from './books.rows';
import { BooksService } from './books.service';
import { SearchService } from './search.service';
import { BOOK_BY_ID, BOOK_BY_ISBN } from './books.cache';
import { BookIdParam } from './book-id-param';

/** Routes of books. Fixed paths precede paths with parameters. */
@Controller('v2/book')
export class BooksController {
  constructor(
    private readonly books: BooksService,
    private readonly searches: SearchService,
  ) {}

  @Get('search')
  @ExpensiveRoute('search')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('books', Book)
  @Errors('missingArgs')
  @OperationId('searchBooks')
  @Summary('Search books by words, by tag, or by both')
  search(
    @QueryInput(SearchInput) input: SearchInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<BookRow>> {
    return this.searches.search(input, page, caller);
  }

  @Get('list')
  @Extension()
  @Errors('missingArgs')
  @OperationId('listBooksByIds')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('books', Book, { after: MISSING_MEMBER })
  @Summary('Books by their ids or ISBNs, in the order of the request')
  list(
    @QueryInput(BooksInput) input: BooksInput,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<BookRow>> {
    return this.books.list(input, caller);
  }

  @Get('isbn/:name')
  @Cached(BOOK_BY_ISBN)
  @RequireScope('book_basic_r')
  @Fields()
  @Responds(Book)
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('getBookByIsbn')
  @Summary('A book by its ISBN-10 or ISBN-13, with or without hyphens')
  getBookByIsbn(
    @NameParam('name') isbn: string,
    @CurrentCaller() caller: Caller,
  ): Promise<BookRow> {
    return this.books.getBookByIsbn(isbn, caller);
  }

  @Get('series/:id/books')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('books', Book)
  @OperationId('listBooksInSeries')
  @Summary('Books of a series, by publication')
  listSeriesBooks(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<BookRow>> {
    return this.books.listSeriesBooks(id, page, caller);
  }

  @Get(':id')
  @Cached(BOOK_BY_ID)
  @RequireScope('book_basic_r')
  @Fields()
  @Responds(Book)
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('getBook')
  @Summary('A book by its id')
  getBook(@BookIdParam('id') id: number, @CurrentCaller() caller: Caller): Promise<BookRow> {
    return this.books.getBook(id, caller);
  }
}
