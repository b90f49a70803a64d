import { isbnForms } from '../../books/isbn';
import { fold } from '../../text/fold';
import { searchText, type SearchText } from '../../text/terms';
import { type BookRecord } from './book.record';

/** The search data of a book. */
export const bookSearchText = (book: BookRecord): SearchText =>
  searchText(
    book.title,
    [
      book.origin_title,
      book.alt_title,
      book.subtitle,
      ...book.author,
      ...book.translator,
      book.publisher,
    ],
    // Both forms of the ISBN find the book.
    [...new Set([book.isbn13, book.isbn10].flatMap(isbnForms))],
  );

/** The search key of a tag; empty for other subjects, so that searches exclude them (D27). */
export const tagKey = (kind: string, name: string): string => (kind === 'book' ? fold(name) : '');
