import { arrayLiteral, CopyRows, tsvectorLiteral } from '../../database/copy-in';
import { copyStatement, type SqlExecutor } from '../../database/database';
import { bookSearchText } from './book-search-text';
import { copyTags } from './book-tag.copy';
import { publishedOn, type BookRecord } from './book.record';

type Value = string | number | null;

/** Columns that have no member of their name, and members that are no column of their name. */
type OtherColumn = 'published_on' | 'series_id' | 'rating_base_count' | 'rating_base_average';
type OtherMember = 'series' | 'raters' | 'average' | 'tags';

/** The columns of a book. */
export type BookColumn = Exclude<keyof BookRecord, OtherMember> | OtherColumn;

/** The value of each column. */
const COLUMNS: Readonly<Record<BookColumn, (book: BookRecord) => Value>> = {
  id: ({ id }) => id as number,
  kind: ({ kind }) => kind,
  isbn10: ({ isbn10 }) => isbn10,
  isbn13: ({ isbn13 }) => isbn13,
  title: ({ title }) => title,
  origin_title: (book) => book.origin_title,
  alt_title: (book) => book.alt_title,
  subtitle: ({ subtitle }) => subtitle,
  image_small: (book) => book.image_small,
  image_medium: (book) => book.image_medium,
  image_large: (book) => book.image_large,
  author: ({ author }) => arrayLiteral(author),
  translator: ({ translator }) => arrayLiteral(translator),
  publisher: ({ publisher }) => publisher,
  pubdate: ({ pubdate }) => pubdate,
  published_on: ({ pubdate }) => publishedOn(pubdate),
  binding: ({ binding }) => binding,
  price: ({ price }) => price,
  pages: ({ pages }) => pages,
  series_id: ({ series }) => series?.id ?? null,
  author_intro: (book) => book.author_intro,
  summary: ({ summary }) => summary,
  catalog: ({ catalog }) => catalog,
  ebook_url: (book) => book.ebook_url,
  ebook_price: (book) => book.ebook_price,
  rating_base_count: ({ raters }) => raters,
  rating_base_average: ({ average }) => average,
};
const VALUES = Object.values(COLUMNS);

const COPY_BOOKS = copyStatement('import_export.copy_books', 'books', Object.keys(COLUMNS));

const COPY_SEARCH = copyStatement('import_export.copy_search', 'book_search', [
  'book_id',
  'title',
  'body',
  'terms',
  'popularity',
]);

function searchRows(books: readonly BookRecord[]): CopyRows {
  const rows = new CopyRows();
  for (const book of books) {
    if (book.kind !== 'book') continue;
    const { title, body, terms } = bookSearchText(book);
    // No collection rates a new book, so that the imported count is its popularity.
    rows.add([book.id as number, title, body, tsvectorLiteral(terms), book.raters]);
  }
  return rows;
}

/**
 * Inserts books with their tags and search terms by COPY, which takes about half the time of INSERT
 * with JSON. Their series must exist.
 * @throws DatabaseError (unique violation) when one exists, also since another transaction created
 *   it meanwhile
 */
export async function copyBooks(
  executor: SqlExecutor,
  books: readonly BookRecord[],
): Promise<void> {
  // In the order of ids, so that concurrent imports wait for each other instead of a deadlock.
  const sorted = [...books].sort((one, other) => (one.id as number) - (other.id as number));
  const rows = new CopyRows();
  for (const book of sorted) rows.add(VALUES.map((value) => value(book)));
  await executor.query(COPY_BOOKS, [rows]);
  await copyTags(executor, sorted);
  const search = searchRows(sorted);
  if (!search.isEmpty) await executor.query(COPY_SEARCH, [search]);
}
