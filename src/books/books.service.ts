import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { ApiError, malformed } from '../api/errors/error-codes';
import { requestedIds, pageOfRequested } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { MergedIds } from '../api/routing/merged-ids';
import { type BooksInput } from './books.input';
import { BooksRepository } from './books.repository';
import { type BookRow } from './books.rows';
import { isbnForms } from './isbn';

/** The kind of books; other kinds are "not a book" (D27). */
export const BOOK_KIND = 'book';

/** @throws ApiError 6000 when there is no book, 6007 for another kind (D27) */
export function checkKind(kind: string | null | undefined): void {
  if (kind === undefined || kind === null) {
    throw new ApiError('bookNotFound', { detail: 'book not found' });
  }
  if (kind !== BOOK_KIND)
    throw new ApiError('notBookRequest', { detail: `the entry is not a book: ${kind}` });
}

@Injectable()
export class BooksService {
  constructor(
    private readonly books: BooksRepository,
    private readonly merged: MergedIds,
  ) {}

  /** @throws ApiError 6000 for an unknown book, 6007 for something else (D27) */
  async getBook(id: number, caller: Caller): Promise<BookRow> {
    const book = await this.books.findBookById(id, caller.user?.id);
    // A placeholder counts as not found.
    checkKind(book?.placeholder ? undefined : book?.kind);
    return book as BookRow;
  }

  /** @throws ApiError 6000 when no book has the ISBN, 6007 when another kind has it (D27) */
  async getBookByIsbn(isbn: string, caller: Caller): Promise<BookRow> {
    const forms = isbnForms(isbn);
    const userId = caller.user?.id;
    const book =
      forms.length > 0
        ? ((await this.books.findBookByIsbn(forms, userId)) ??
          (await this.books.findSurvivorByIsbn(forms, userId)))
        : undefined;
    checkKind(book?.kind);
    return book as BookRow;
  }

  /**
   * Books by ids or ISBNs, in the order of the request (D46). Entries that are not books, and
   * placeholders, are missing.
   *
   * @throws ApiError 1002 without ids and ISBNs, 999 with both
   */
  async list({ ids, isbns }: BooksInput, caller: Caller): Promise<Page<BookRow>> {
    if (ids && isbns) throw malformed('ids and isbns exclude each other');
    const viewer = caller.user?.id;
    if (ids) {
      const current = requestedIds(ids).map((id) => id && this.merged.current('book', id));
      return pageOfRequested(ids, await this.books.listByIds(current, viewer));
    }
    if (!isbns) throw new ApiError('missingArgs', { detail: 'ids or isbns is required' });
    return pageOfRequested(isbns, await this.books.listByIsbns(isbns.map(isbnForms), viewer));
  }

  /** @throws ApiError 6000 for an unknown book, 6007 for something else (D27) */
  async checkBook(id: number): Promise<void> {
    checkKind((await this.books.kindOf(id))?.kind);
  }

  /**
   * For writes about a book, which must not be a placeholder.
   * @returns its id, which differs from `id` for a merged book (D149)
   * @throws ApiError 6000 or 6007 (D27)
   */
  async checkKnown(id: number): Promise<number> {
    const current = this.merged.current('book', id);
    const book = await this.books.kindOf(current);
    checkKind(book?.placeholder ? undefined : book?.kind);
    return current;
  }

  /** @throws ApiError 1001 for an unknown series (D25) */
  async listSeriesBooks(id: number, page: PageQuery, caller: Caller): Promise<Page<BookRow>> {
    const books = await this.books.listSeriesBooks(id, page, caller.user?.id);
    if (books.total === 0 && !(await this.books.seriesExists(id))) {
      throw new ApiError('uriNotFound', { detail: 'series not found' });
    }
    return books;
  }
}
