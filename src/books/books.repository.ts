import { Injectable } from '@nestjs/common';
import { type RequestedRow } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { BatchedRead } from '../database/batched-read';
import { Database, statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { BOOK_TABLES, bookColumns, ownCollection } from './books.sql';
import { type BookRow } from './books.rows';

const NO_COLLECTION = 'NULL AS current_user_collection';

const BY_ID = statement(
  'books.by_id',
  `SELECT ${bookColumns()} FROM ${BOOK_TABLES} WHERE b.id = $1`,
);

/** A book with the collection of a user; the benchmark uses it too. */
export const BY_ID_FOR = statement(
  'books.by_id_for',
  `SELECT ${bookColumns()}, ${ownCollection('$2')} FROM ${BOOK_TABLES} WHERE b.id = $1`,
);

const MANY_BY_ID = statement(
  'books.many_by_id',
  `SELECT ${bookColumns()}, k.at::int AS at
   FROM unnest($1::bigint[]) WITH ORDINALITY AS k(id, at), ${BOOK_TABLES} WHERE b.id = k.id`,
);

const MANY_BY_ID_FOR = statement(
  'books.many_by_id_for',
  `SELECT ${bookColumns()}, ${ownCollection('k.user_id')}, k.at::int AS at
   FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS k(id, user_id, at), ${BOOK_TABLES}
   WHERE b.id = k.id`,
);

/**
 * Whether the book `alias` has one of these ISBNs. The indexes of ISBNs omit books without
 * one. PostgreSQL uses such an index only if the condition itself excludes empty ISBNs, because a
 * general plan does not know the values of the parameters.
 */
const hasIsbn = (alias: string, isbns: string): string =>
  `(${alias}.isbn13 = ANY(${isbns}) AND ${alias}.isbn13 <> ''
    OR ${alias}.isbn10 = ANY(${isbns}) AND ${alias}.isbn10 <> '')`;

// Different books may share an ISBN; the most popular one wins.
const bookByIsbnSql = (own: string): string => `
  SELECT ${bookColumns()}, ${own} FROM ${BOOK_TABLES}
  WHERE ${hasIsbn('b', '$1::text[]')} AND NOT b.placeholder
  ORDER BY b.kind = 'book' DESC, b.rating_base_count + b.rating_count DESC, b.id LIMIT 1`;
const BY_ISBN = statement('books.by_isbn', bookByIsbnSql(NO_COLLECTION));
/** The same by ISBN. */
export const BY_ISBN_FOR = statement('books.by_isbn_for', bookByIsbnSql(ownCollection('$2')));

const isBook = `b.kind = 'book' AND NOT b.placeholder`;

const byIds = (own: string): string => `
  SELECT ${bookColumns()}, ${own}, k.at::int AS request_position
  FROM unnest($1::bigint[]) WITH ORDINALITY AS k(id, at), ${BOOK_TABLES}
  WHERE b.id = k.id AND ${isBook} ORDER BY k.at`;
const BY_IDS = statement('books.by_ids', byIds(NO_COLLECTION));
const BY_IDS_FOR = statement('books.by_ids_for', byIds(ownCollection('$2')));

/** The survivor of a merged book with one of these ISBNs. */
export const SURVIVOR_BY_ISBN = statement(
  'books.survivor_by_isbn',
  `SELECT m.survivor_id::float8 AS id FROM books o
   JOIN merged_records m ON m.kind = 'book' AND m.id = o.id
   WHERE ${hasIsbn('o', '$1::text[]')} AND o.deleted_at IS NOT NULL
   ORDER BY m.merged_at DESC, m.id LIMIT 1`,
);

// Both forms of each ISBN; the second is null where there is none.
const byIsbns = (own: string): string => `
  SELECT ${bookColumns()}, ${own}, k.at AS request_position
  FROM unnest($1::text[], $2::text[], $3::int[]) AS k(one, other, at), LATERAL (
    SELECT id FROM books b
    WHERE ${hasIsbn('b', 'ARRAY[k.one, k.other]')} AND ${isBook}
    ORDER BY b.rating_base_count + b.rating_count DESC, b.id LIMIT 1) found, ${BOOK_TABLES}
  WHERE b.id = found.id ORDER BY k.at`;
const BY_ISBNS = statement('books.by_isbns', byIsbns(NO_COLLECTION));
/** Books by ISBNs, with the collections of a user. */
export const BY_ISBNS_FOR = statement('books.by_isbns_for', byIsbns(ownCollection('$4')));

const KIND = statement('books.kind', 'SELECT kind, placeholder FROM books WHERE id = $1');

const SERIES = statement('books.series', 'SELECT 1 FROM series WHERE id = $1');

const inSeries = (own: string): string =>
  paginated({
    hits: `SELECT id AS book_id, published_on FROM books WHERE series_id = $1 AND kind = 'book' AND NOT placeholder`,
    key: 'book_id',
    order: ['published_on', 'book_id'],
    columns: `${bookColumns()}, ${own}`,
    joins: 'LEFT JOIN books b ON b.id = p.book_id LEFT JOIN series s ON s.id = b.series_id',
    limit: ['$2', '$3'],
  });
const IN_SERIES = statement('books.in_series', inSeries(NO_COLLECTION));
const IN_SERIES_FOR = statement('books.in_series_for', inSeries(ownCollection('$4')));

@Injectable()
export class BooksRepository {
  private readonly byId: BatchedRead<BookRow>;
  private readonly byIdFor: BatchedRead<BookRow>;

  constructor(private readonly database: Database) {
    this.byId = new BatchedRead(database, BY_ID, MANY_BY_ID);
    this.byIdFor = new BatchedRead(database, BY_ID_FOR, MANY_BY_ID_FOR);
  }

  /** A book of any kind with the collection of `userId`. */
  findBookById(id: number, userId?: number): Promise<BookRow | undefined> {
    return userId === undefined ? this.byId.find(id) : this.byIdFor.find(id, userId);
  }

  /** The most popular book with one of these ISBNs. */
  async findBookByIsbn(isbns: readonly string[], userId?: number): Promise<BookRow | undefined> {
    const [row] =
      userId === undefined
        ? await this.database.query<BookRow>(BY_ISBN, [isbns])
        : await this.database.query<BookRow>(BY_ISBN_FOR, [isbns, userId]);
    return row;
  }

  /** The book into which a book with one of these ISBNs was merged (D149). */
  async findSurvivorByIsbn(
    isbns: readonly string[],
    userId?: number,
  ): Promise<BookRow | undefined> {
    const [merged] = await this.database.query<{ id: number }>(SURVIVOR_BY_ISBN, [isbns]);
    return merged && this.findBookById(merged.id, userId);
  }

  /** Books by ids in their order; null ids match none. */
  listByIds(ids: readonly (number | null)[], userId?: number): Promise<(BookRow & RequestedRow)[]> {
    return userId === undefined
      ? this.database.query<BookRow & RequestedRow>(BY_IDS, [ids])
      : this.database.query<BookRow & RequestedRow>(BY_IDS_FOR, [ids, userId]);
  }

  /**
   * The most popular book of each ISBN, in their order; each ISBN is given in all of its forms. Texts
   * without a form are not ISBNs.
   */
  async listByIsbns(
    isbns: readonly (readonly string[])[],
    userId?: number,
  ): Promise<(BookRow & RequestedRow)[]> {
    const valid = isbns.flatMap(([one, other = null], at) =>
      one === undefined ? [] : [{ one, other, position: at + 1 }],
    );
    if (valid.length === 0) return [];
    const values = [
      valid.map(({ one }) => one),
      valid.map(({ other }) => other),
      valid.map(({ position }) => position),
    ];
    return userId === undefined
      ? this.database.query<BookRow & RequestedRow>(BY_ISBNS, values)
      : this.database.query<BookRow & RequestedRow>(BY_ISBNS_FOR, [...values, userId]);
  }

  /** The kind of a subject, or undefined when it does not exist. */
  async kindOf(id: number): Promise<{ kind: string; placeholder: boolean } | undefined> {
    return (await this.database.query<{ kind: string; placeholder: boolean }>(KIND, [id]))[0];
  }

  async seriesExists(id: number): Promise<boolean> {
    return (await this.database.query(SERIES, [id])).length > 0;
  }

  /** Books of a series by publication date (D25). */
  async listSeriesBooks(id: number, page: PageQuery, userId?: number): Promise<Page<BookRow>> {
    const values = [id, page.count, page.start];
    const rows =
      userId === undefined
        ? await this.database.query<BookRow & PageRow>(IN_SERIES, values)
        : await this.database.query<BookRow & PageRow>(IN_SERIES_FOR, [...values, userId]);
    return toPage(rows, page.start);
  }
}
