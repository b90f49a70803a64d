import { isbnForms } from '../../books/isbn';
import { type SqlExecutor } from '../../database/database';
import { fold } from '../../text/fold';
import { searchText } from '../../text/terms';
import { publishedOn, type BookRecord } from './book.record';
import {
  RAISE_GIN_PENDING_LIMIT,
  REMOVE_SEARCH,
  TAKE_TAGS,
  WRITE_BOOKS,
  WRITE_SEARCH,
  WRITE_SERIES,
  WRITE_TAGS,
} from './book.statements';
import { reserveIds } from '../engine/sequences';

interface TakenTag {
  readonly book_id: number;
  readonly name: string;
  readonly used_count: number;
}

/** Sort position of a tag that no import has named: after those with the same count. */
const NO_SORT_ORDER = 32767;

/** Inserts or replaces books that have ids, with their series, tags and search terms. */
export async function writeBooks(
  executor: SqlExecutor,
  books: readonly BookRecord[],
): Promise<void> {
  const series = books.map((book) => book.series).filter((one) => one !== null);
  if (series.length > 0) {
    await reserveIds(
      executor,
      'series',
      series.map(({ id }) => id),
    );
    await executor.query(WRITE_SERIES, [JSON.stringify(series)]);
  }
  await reserveIds(
    executor,
    'books',
    books.map(({ id }) => id),
  );
  await executor.query(WRITE_BOOKS, [JSON.stringify(books.map(toRow))]);
  await writeTags(executor, books);
  await writeSearch(executor, books);
}

const toRow = ({ tags: _tags, series, raters, average, ...book }: BookRecord) => ({
  ...book,
  published_on: publishedOn(book.pubdate),
  series_id: series?.id ?? null,
  rating_base_count: raters,
  rating_base_average: average,
});

/** The search key of a tag; empty for other subjects, so that searches exclude them (D27). */
const foldedFor = (kind: string, name: string): string => (kind === 'book' ? fold(name) : '');

async function writeTags(executor: SqlExecutor, books: readonly BookRecord[]): Promise<void> {
  const taken = await executor.query<TakenTag>(TAKE_TAGS, [books.map(({ id }) => id)]);
  const used = new Map<number, Map<string, number>>();
  for (const tag of taken) {
    if (tag.used_count === 0) continue;
    const ofBook = used.get(tag.book_id) ?? new Map<string, number>();
    used.set(tag.book_id, ofBook.set(tag.name, tag.used_count));
  }
  const columns: [unknown[], string[], string[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
  ];
  const add = (
    { id, kind }: BookRecord,
    name: string,
    place: number,
    base: number,
    uses: number,
  ): void => {
    [id, name, foldedFor(kind, name), place, base, uses].forEach((value, at) => {
      (columns[at] as unknown[]).push(value);
    });
  };
  for (const book of books) {
    const uses = used.get(book.id as number);
    book.tags.forEach(({ name, count }, at) => {
      add(book, name, Math.min(at, NO_SORT_ORDER), count, uses?.get(name) ?? 0);
      uses?.delete(name);
    });
    for (const [name, count] of uses ?? []) add(book, name, NO_SORT_ORDER, 0, count);
  }
  if (columns[0].length > 0) await executor.query(WRITE_TAGS, columns);
}

async function writeSearch(executor: SqlExecutor, books: readonly BookRecord[]): Promise<void> {
  const others = books.filter(({ kind }) => kind !== 'book').map(({ id }) => id);
  if (others.length > 0) await executor.query(REMOVE_SEARCH, [others]);
  const found = books.filter(({ kind }) => kind === 'book');
  if (found.length === 0) return;
  const texts = found.map((book) =>
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
    ),
  );
  await executor.query(RAISE_GIN_PENDING_LIMIT);
  await executor.query(WRITE_SEARCH, [
    found.map(({ id }) => id),
    texts.map(({ title }) => title),
    texts.map(({ body }) => body),
    texts.map(({ terms }) => terms.join('\u0001')),
  ]);
}
