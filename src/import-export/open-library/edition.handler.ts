import { isbnForms } from '../../books/isbn';
import { statement, type SqlExecutor } from '../../database/database';
import { BY_ISBN, LOCK_ISBNS, NEW_IDS, type BookHandler } from '../books/book.handler';
import { wireBook, type BookRecord } from '../books/book.record';
import { type RecordHandler } from '../engine/record-handler';
import { writeBookSources, type BookSourceRecord } from '../full/book-source.handler';
import { type EditionBook } from './edition';

/** Name of this source in the table of sources. */
const SOURCE = 'openlibrary';

/** An edition and its book. */
export interface EditionRecord extends EditionBook {
  /** For example `/books/OL1M`. */
  readonly key: string;
  /** The editions of this book; set after `resolveIds`. */
  readonly sources?: readonly BookSourceRecord[];
}

// Imports of earlier versions could store sources of merged books. A survivor counts as a book that the
// import has not created: it has members of both books, which the next import would replace.
const SOURCES = statement(
  'open_library.sources',
  `SELECT s.source, s.key, coalesce(m.survivor_id, s.book_id)::float8 AS book_id,
     s.created_book AND NOT EXISTS (SELECT FROM merged_records k WHERE k.kind = 'book'
       AND k.survivor_id = coalesce(m.survivor_id, s.book_id)) AS created_book
   FROM book_sources s LEFT JOIN merged_records m ON m.kind = 'book' AND m.id = s.book_id
   WHERE s.source = '${SOURCE}' AND s.key = ANY($1::text[])`,
);
const SERIES = statement(
  'open_library.series',
  'SELECT min(id)::float8 AS id, title FROM series WHERE title = ANY($1::text[]) GROUP BY title',
);
const NEW_SERIES = statement(
  'open_library.new_series',
  'INSERT INTO series (title) SELECT unnest($1::text[]) RETURNING id::float8 AS id, title',
);

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0);

/** Fills the empty fields of a book from another. */
function filled(book: BookRecord, other: BookRecord): BookRecord {
  const merged: Record<string, unknown> = { ...book };
  for (const [name, value] of Object.entries(other))
    if (isEmpty(merged[name])) merged[name] = value;
  return merged as unknown as BookRecord;
}

/** Whether editions contain a field. */
const IN_EDITIONS: Readonly<Record<keyof BookRecord, boolean>> = {
  id: false,
  kind: false,
  isbn10: true,
  isbn13: true,
  title: true,
  origin_title: true,
  alt_title: true,
  subtitle: true,
  image_small: false,
  image_medium: false,
  image_large: false,
  author: true,
  translator: true,
  publisher: true,
  pubdate: true,
  binding: true,
  price: false,
  pages: true,
  series: true,
  author_intro: true,
  summary: true,
  catalog: true,
  ebook_url: false,
  ebook_price: false,
  raters: false,
  average: false,
  tags: true,
};

/** Replaces the fields that editions contain and keeps the others. */
function replaced(book: BookRecord, edition: BookRecord): BookRecord {
  const merged: Record<string, unknown> = { ...edition };
  for (const [name, value] of Object.entries(book))
    if (!IN_EDITIONS[name as keyof BookRecord]) merged[name] = value;
  return merged as unknown as BookRecord;
}

/**
 * Imports editions of Open Library as books. An edition updates the book that its key created or
 * matched before, else a book with its ISBN, else it creates one. It may overwrite a book that the
 * import created; in other books, and in survivors of merges, it only fills empty fields.
 */
export class EditionHandler implements RecordHandler<EditionRecord> {
  readonly name = 'edition';
  readonly member = 'editions';

  constructor(private readonly books: BookHandler) {}

  parse(value: unknown): EditionRecord {
    return value as EditionRecord;
  }

  /** Merges editions of the same book; the later one wins. */
  async resolveIds(
    executor: SqlExecutor,
    records: readonly EditionRecord[],
  ): Promise<EditionRecord[]> {
    await executor.query(LOCK_ISBNS);
    const sourcesByKey = await this.findSources(executor, records);
    const idsByIsbn = await this.findIdsByIsbn(executor, records);
    const ids = [
      ...[...sourcesByKey.values()].map(({ book_id }) => book_id),
      ...idsByIsbn.values(),
    ];
    // A deleted book that has the ISBN is restored, with what it had.
    const stored = await this.books.load(
      executor,
      ids.map((id) => ({ id }) as BookRecord),
      true,
    );
    const series = await this.series(executor, records);
    const fresh = await executor.query<{ id: number }>(NEW_IDS, [records.length]);
    const found = new Map<number, EditionRecord>();
    for (const [at, { key, book: bare, series: title }] of records.entries()) {
      const id = series.get(title);
      const book = { ...bare, series: id === undefined ? null : { id, title } };
      const source = sourcesByKey.get(key);
      const isbns = isbnsOf(book);
      const same = isbns.find((one) => idsByIsbn.has(one));
      const bookId =
        source?.book_id ??
        (same === undefined ? undefined : idsByIsbn.get(same)) ??
        fresh[at]?.id ??
        0;
      const before = found.get(bookId);
      const own = before?.book ?? stored.get(String(bookId));
      const created_book = source?.created_book ?? own === undefined;
      const merged = own && (created_book ? replaced(own, book) : filled(own, book));
      for (const one of isbns) if (!idsByIsbn.has(one)) idsByIsbn.set(one, bookId);
      const note = { source: SOURCE, key, book_id: bookId, created_book };
      sourcesByKey.set(key, note);
      const others = (before?.sources ?? []).filter((one) => one.key !== key);
      found.set(bookId, {
        key,
        series: '',
        book: merged ?? { ...book, id: bookId },
        sources: [...others, note],
      });
    }
    return [...found.values()];
  }

  private async findSources(executor: SqlExecutor, records: readonly EditionRecord[]) {
    const rows = await executor.query<BookSourceRecord>(SOURCES, [records.map(({ key }) => key)]);
    return new Map(rows.map((row) => [row.key, row]));
  }

  private async findIdsByIsbn(executor: SqlExecutor, records: readonly EditionRecord[]) {
    const wanted = records.flatMap(({ book }) => isbnsOf(book));
    const rows = await executor.query<{ id: number; isbn: string }>(BY_ISBN, [wanted]);
    const ids = new Map<string, number>();
    for (const { id, isbn } of rows) if (!ids.has(isbn)) ids.set(isbn, id);
    return ids;
  }

  /** Finds or creates series by name. */
  private async series(executor: SqlExecutor, records: readonly EditionRecord[]) {
    const titles = new Set(records.map(({ series }) => series).filter((title) => title !== ''));
    if (titles.size === 0) return new Map<string, number>();
    const rows = await executor.query<{ id: number; title: string }>(SERIES, [[...titles]]);
    for (const { title } of rows) titles.delete(title);
    if (titles.size > 0)
      rows.push(...(await executor.query<(typeof rows)[0]>(NEW_SERIES, [[...titles]])));
    return new Map(rows.map(({ id, title }) => [title, id]));
  }

  /** Undefined before `resolveIds`, because any other record may determine the book. */
  key({ sources, book }: EditionRecord): string | undefined {
    return sources && String(book.id);
  }

  async load(executor: SqlExecutor, records: readonly EditionRecord[]) {
    const stored = await this.books.load(
      executor,
      records.map(({ book }) => book),
    );
    const sourcesByKey = await this.findSources(
      executor,
      records.flatMap(({ sources = [] }) => sources.map(({ key }) => ({ key }) as EditionRecord)),
    );
    const loaded = new Map<string, EditionRecord>();
    for (const { key, series, book, sources = [] } of records) {
      const own = stored.get(String(book.id));
      if (!own) continue;
      const before = sources
        .map((one) => sourcesByKey.get(one.key))
        .filter((one) => one !== undefined);
      loaded.set(String(book.id), { key, series, book: own, sources: before });
    }
    return loaded;
  }

  async write(executor: SqlExecutor, records: readonly EditionRecord[]): Promise<void> {
    await this.books.write(
      executor,
      records.map(({ book }) => book),
    );
    await writeBookSources(
      executor,
      records.flatMap(({ sources = [] }) => sources),
    );
  }

  flush(executor: SqlExecutor): Promise<void> {
    return this.books.flush(executor);
  }

  toJson({ book, sources = [] }: EditionRecord): Record<string, unknown> {
    const keys = sources.map(({ key, book_id, created_book }) => ({ key, book_id, created_book }));
    return { ...wireBook(book), sources: keys };
  }

  /** Editions cannot be exported. */
  scanAfter(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

const isbnsOf = (book: BookRecord): string[] => [
  ...new Set([book.isbn13, book.isbn10].flatMap(isbnForms)),
];
