import { isbnForms } from '../../books/isbn';
import { MERGE_TAG_COUNTS } from '../../books/tag-counts';
import { statement, type SqlExecutor } from '../../database/database';
import { parseBook, wireBook, type BookRecord } from './book.record';
import { BOOK_MERGING } from './book.merging';
import { writeBooks } from './book.writer';
import { dedupeKeepLast, StoredHandler } from '../engine/stored.handler';
import { type RecordEditHooks } from '../engine/record-edit-hooks';
import { shareRecords } from '../engine/record-locks';
import { SoftDeletion } from '../engine/row-deletion';
import { BY_PLACEHOLDER, bySearchTexts, recordLists } from '../engine/record-lists';
import { withoutMerged } from '../engine/merged-references';
import { reserveIds } from '../engine/sequences';

/** Selects a stored book as a `BookRecord`: the imported base without the counts of collections. */
const COLUMNS = `
  b.id::float8 AS id, b.kind, b.isbn10, b.isbn13, b.title, b.origin_title, b.alt_title, b.subtitle,
  b.image_small, b.image_medium, b.image_large, array_to_json(b.author) AS author,
  array_to_json(b.translator) AS translator, b.publisher, b.pubdate, b.binding, b.price, b.pages,
  CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'title', s.title) END AS series,
  b.author_intro, b.summary, b.catalog, b.ebook_url, b.ebook_price,
  b.rating_base_count AS raters, b.rating_base_average::text AS average,
  coalesce((SELECT json_agg(json_build_object('count', t.base_count, 'name', t.name)
      ORDER BY t.base_count DESC, t.position)
    FROM book_tags t WHERE t.book_id = b.id AND t.base_count > 0), '[]'::json) AS tags`;
const TABLES = 'books b LEFT JOIN series s ON s.id = b.series_id';

const LOAD = statement(
  'import_export.books',
  `SELECT ${COLUMNS} FROM ${TABLES} WHERE b.id = ANY($1::bigint[])
     AND (NOT b.placeholder OR ($2::boolean AND b.deleted_at IS NOT NULL))`,
);

const AFTER = statement(
  'import_export.books_after',
  `SELECT ${COLUMNS} FROM ${TABLES} WHERE b.id > $1
     AND (NOT b.placeholder OR ($3::boolean AND b.deleted_at IS NOT NULL)) ORDER BY b.id LIMIT $2`,
);

export const BY_ISBN = statement(
  'import_export.books_by_isbn',
  `SELECT coalesce(m.survivor_id, found.id)::float8 AS id, isbn FROM (
     SELECT id, isbn13 AS isbn FROM books WHERE isbn13 = ANY($1::text[]) AND isbn13 <> ''
     UNION ALL SELECT id, isbn10 FROM books WHERE isbn10 = ANY($1::text[]) AND isbn10 <> '') found
   LEFT JOIN merged_records m ON m.kind = 'book' AND m.id = found.id
   ORDER BY m.id NULLS FIRST, found.id`,
);

/** An arbitrary lock number that no other lock uses: "isbn" in ASCII. */
const ISBN_LOCK = 0x6973626e;

/** Held until the transaction ends: two imports must not both insert the book of an ISBN. */
export const LOCK_ISBNS = statement(
  'import_export.lock_isbns',
  `SELECT pg_advisory_xact_lock(${ISBN_LOCK})`,
);

export const NEW_IDS = statement(
  'import_export.new_book_ids',
  `SELECT nextval('books_id_seq')::float8 AS id FROM generate_series(1, $1::int)`,
);

const PLACEHOLDERS = statement(
  'import_export.placeholder_books',
  `INSERT INTO books (id, title, placeholder) SELECT id, '', true FROM unnest($1::bigint[]) id ORDER BY id
   ON CONFLICT (id) DO NOTHING`,
);

/** Merges the pending list into the index, because searches scan the pending list sequentially. */
const FLUSH_GIN_PENDING = statement(
  'import_export.sort_terms',
  `SELECT gin_clean_pending_list('book_search_terms'::regclass)`,
);

const KNOWN = statement(
  'import_export.known_books',
  'SELECT id::float8 AS id FROM books WHERE id = ANY($1::bigint[]) AND (NOT placeholder OR deleted_at IS NOT NULL)',
);

/** Both forms of a book's ISBN, ISBN-13 first. */
const isbnsOf = (book: BookRecord): string[] =>
  [...new Set([book.isbn13, book.isbn10].flatMap(isbnForms))].sort(
    (one, other) => other.length - one.length,
  );

/** Distinguishes new books by ISBN. A new book without an ISBN is unique. */
const keyOfNew = (book: BookRecord, at: number): string => isbnsOf(book)[0] ?? `new ${at}`;

/** Imports and exports books and the other subjects in the same table (D27). */
export class BookHandler extends StoredHandler<BookRecord> {
  readonly name = 'book';
  readonly member = 'books';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly softDeletes = true;
  readonly editing: RecordEditHooks = {
    table: 'books',
    lists: recordLists('books', {
      title: 'title',
      states: BY_PLACEHOLDER,
      search: bySearchTexts(
        'books',
        'book',
        `(o.kind <> 'book' OR o.placeholder) AND o.title <> ''`,
      ),
    }),
    merging: BOOK_MERGING,
    deletion: new SoftDeletion(
      'books',
      // Reads of books already exclude placeholders.
      [
        'UPDATE books SET placeholder = true WHERE id = ANY($1::bigint[]) AND NOT placeholder',
        'DELETE FROM book_search WHERE book_id = ANY($1::bigint[])',
      ],
      ['placeholder = false'],
    ),
  };

  parse(value: unknown): BookRecord {
    return parseBook(value);
  }

  override async resolveIds(
    executor: SqlExecutor,
    records: readonly BookRecord[],
  ): Promise<BookRecord[]> {
    const others = await withoutMerged(executor, this.name, records);
    const identified = await this.findIdsByIsbn(executor, others);
    return dedupeKeepLast(identified, (book, at) =>
      book.id === undefined ? keyOfNew(book, at) : String(book.id),
    );
  }

  /**
   * Assigns books without an id the id of the stored book with their ISBN, or of a book with that
   * ISBN in the same file.
   */
  private async findIdsByIsbn(
    executor: SqlExecutor,
    records: readonly BookRecord[],
  ): Promise<BookRecord[]> {
    const wanted = records.filter(({ id }) => id === undefined).flatMap(isbnsOf);
    if (wanted.length === 0) return [...records];
    await executor.query(LOCK_ISBNS);
    const rows = await executor.query<{ id: number; isbn: string }>(BY_ISBN, [wanted]);
    const ids = new Map<string, number>();
    for (const { id, isbn } of rows) if (!ids.has(isbn)) ids.set(isbn, id);
    for (const book of records) {
      if (book.id === undefined) continue;
      for (const isbn of isbnsOf(book)) if (!ids.has(isbn)) ids.set(isbn, book.id);
    }
    return records.map((book) => {
      if (book.id !== undefined) return book;
      const isbn = isbnsOf(book).find((form) => ids.has(form));
      return isbn === undefined ? book : { ...book, id: ids.get(isbn) };
    });
  }

  protected override loadValues(records: readonly BookRecord[]): readonly unknown[] {
    return [records.map(({ id }) => id).filter((id) => id !== undefined)];
  }

  override key(record: BookRecord): string | undefined {
    return record.id === undefined ? undefined : String(record.id);
  }

  async write(executor: SqlExecutor, records: readonly BookRecord[]): Promise<void> {
    const without = records.filter(({ id }) => id === undefined).length;
    const fresh = without > 0 ? await executor.query<{ id: number }>(NEW_IDS, [without]) : [];
    let next = 0;
    const all = records.map((book) =>
      book.id === undefined ? { ...book, id: fresh[next++]?.id } : book,
    );
    await writeBooks(executor, all);
  }

  async flush(executor: SqlExecutor): Promise<void> {
    await executor.query(FLUSH_GIN_PENDING);
    await executor.query(MERGE_TAG_COUNTS);
  }

  /**
   * Inserts books that records reference: complete if the record contains the book, else a
   * placeholder. Existing books stay unchanged, also those that another transaction stores meanwhile.
   */
  async writeMissing(executor: SqlExecutor, books: readonly BookRecord[]): Promise<void> {
    const wanted = new Map<number, BookRecord>();
    for (const book of books) {
      const id = book.id as number;
      if (book.title !== '' || !wanted.has(id)) wanted.set(id, book);
    }
    if (wanted.size > 0) await shareRecords(executor, this.name);
    const rows = await executor.query<{ id: number }>(KNOWN, [[...wanted.keys()]]);
    for (const { id } of rows) wanted.delete(id);
    const missing = [...wanted.values()];
    const placeholders = missing.filter(({ title }) => title === '').map(({ id }) => id);
    if (placeholders.length > 0) {
      await reserveIds(executor, 'books', placeholders);
      await executor.query(PLACEHOLDERS, [placeholders]);
    }
    const full = missing.filter(({ title }) => title !== '');
    if (full.length > 0) await writeBooks(executor, full, { onlyMissing: true });
  }

  toJson(record: BookRecord): Record<string, unknown> {
    return wireBook(record);
  }
}
