import { isbnForms } from '../../books/isbn';
import { statement, type SqlExecutor } from '../../database/database';
import { parseBook, wireBook, type BookRecord } from './book.record';
import {
  AFTER,
  BY_ISBN,
  LOAD,
  LOCK_ISBNS,
  NEW_IDS,
  FLUSH_GIN_PENDING,
  PLACEHOLDERS,
} from './book.statements';
import { writeBooks } from './book.writer';
import { dedupeKeepLast, StoredHandler } from '../engine/stored.handler';
import { shareRecords, SoftDeletion, type RecordEditing } from '../engine/editing';
import { reserveIds } from '../engine/sequences';

const KNOWN = statement(
  'transfer.known_books',
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
  readonly editing: RecordEditing = {
    table: 'books',
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
    const identified = await this.byIsbn(executor, records);
    return dedupeKeepLast(identified, (book, at) =>
      book.id === undefined ? keyOfNew(book, at) : String(book.id),
    );
  }

  /**
   * Assigns books without an id the id of the stored book with their ISBN, or of a book with that
   * ISBN in the same file.
   */
  private async byIsbn(
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

  async finish(executor: SqlExecutor): Promise<void> {
    await executor.query(FLUSH_GIN_PENDING);
  }

  /**
   * Inserts books that records reference: complete if the record contains the book, else a
   * placeholder. Existing books stay unchanged.
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
    if (full.length > 0) await writeBooks(executor, full);
  }

  toJson(record: BookRecord): Record<string, unknown> {
    return wireBook(record);
  }
}
