import { statement, type SqlExecutor } from '../../database/database';
import { bookReference } from '../books/book-text';
import { StoredHandler } from '../engine/stored.handler';
import { RecordReader } from '../engine/record';

/** The record of another catalogue that a book came from. */
export interface BookSourceRecord {
  readonly source: string;
  readonly key: string;
  readonly book_id: number;
  /** Whether the import created the book. */
  readonly created_book: boolean;
}

const COLUMNS = 't.source, t.key, t.book_id::float8 AS book_id, t.created_book';
const LOAD = statement(
  'import_export.book_sources',
  `SELECT ${COLUMNS} FROM book_sources t
   JOIN unnest($1::text[], $2::text[]) AS r(source, key) ON r.source = t.source AND r.key = t.key`,
);
// Reads all sources of a book at once, because sources have no id to continue from.
const AFTER = statement(
  'import_export.book_sources_after',
  `SELECT ${COLUMNS} FROM book_sources t
   WHERE t.book_id IN (SELECT DISTINCT book_id FROM book_sources WHERE book_id > $1
     ORDER BY book_id LIMIT $2)
   ORDER BY t.book_id, t.source COLLATE "C", t.key COLLATE "C"`,
);
const WRITE = statement(
  'import_export.write_book_sources',
  `INSERT INTO book_sources (source, key, book_id, created_book)
   SELECT r.source, r.key, r.book_id, r.created_book
   FROM json_to_recordset($1::json) AS r(source text, key text, book_id bigint, created_book boolean)
   ORDER BY r.source, r.key
   ON CONFLICT (source, key) DO UPDATE SET book_id = EXCLUDED.book_id, created_book = EXCLUDED.created_book`,
);

/** Records the catalogue records of books. */
export async function writeBookSources(
  executor: SqlExecutor,
  records: readonly BookSourceRecord[],
): Promise<void> {
  await executor.query(WRITE, [JSON.stringify(records)]);
}

/** Imports and exports the catalogue sources of books. */
export class BookSourceHandler extends StoredHandler<BookSourceRecord> {
  readonly name = 'book-source';
  readonly member = 'book_sources';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly mergedReference = bookReference<BookSourceRecord>();

  parse(value: unknown): BookSourceRecord {
    const reader = new RecordReader(value);
    return {
      source: reader.requiredText('source'),
      key: reader.requiredText('key'),
      book_id: reader.requiredId('book_id'),
      created_book: reader.raw('created_book') === true,
    };
  }

  override key({ source, key }: BookSourceRecord): string {
    return `${source} ${key}`;
  }

  protected override idOf({ book_id }: BookSourceRecord): number {
    return book_id;
  }

  protected override loadValues(records: readonly BookSourceRecord[]): readonly unknown[] {
    return [records.map(({ source }) => source), records.map(({ key }) => key)];
  }

  write(executor: SqlExecutor, records: readonly BookSourceRecord[]): Promise<void> {
    return writeBookSources(executor, records);
  }

  toJson({ source, key, book_id, created_book }: BookSourceRecord): Record<string, unknown> {
    return { source, key, book_id: String(book_id), created_book };
  }
}
