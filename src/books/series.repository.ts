import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byPart, FilteredList } from '../database/filtered-list';

const BOOKS =
  '(SELECT count(*)::int FROM books b WHERE b.series_id = s.id AND NOT b.placeholder) AS books';

const BY_ID = statement(
  'series.by_id',
  `SELECT s.id::text AS id, s.title, ${BOOKS} FROM series s WHERE s.id = $1`,
);

const WITH_BOOKS = statement(
  'series.with_books',
  `SELECT s.id::text AS id, s.title, (SELECT coalesce(json_agg(b.id::text ORDER BY b.id), '[]')
     FROM books b WHERE b.series_id = s.id) AS books
   FROM series s WHERE s.id = $1`,
);

const LIST = new FilteredList<'q', SeriesRow>({
  name: 'series.list',
  from: 'series h',
  filters: { q: byPart('h.title') },
  columns: `s.id::text AS id, s.title, ${BOOKS}`,
  joins: 'LEFT JOIN series s ON s.id = p.id',
});

const INSERT = statement(
  'series.insert',
  'INSERT INTO series (id, title) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING 1',
);

const UPDATE = statement('series.update', 'UPDATE series SET title = $2 WHERE id = $1');

const DELETE = statement('series.delete', 'DELETE FROM series WHERE id = $1 RETURNING 1');

/** A series with its number of books. */
export interface SeriesRow {
  readonly id: string;
  readonly title: string;
  readonly books: number;
}

/** Series of books (D25). */
@Injectable()
export class SeriesRepository {
  constructor(private readonly database: Database) {}

  /** Series with a part of the title, ordered by id. */
  list(q: string | undefined, page: PageQuery): Promise<Page<SeriesRow>> {
    return LIST.page(this.database, { q }, page);
  }

  /** All matching series, ordered by id. */
  scan(q: string | undefined): AsyncGenerator<SeriesRow> {
    return LIST.scan(this.database, { q });
  }

  async findSeries(
    id: number,
    executor: SqlExecutor = this.database,
  ): Promise<SeriesRow | undefined> {
    return (await executor.query<SeriesRow>(BY_ID, [id]))[0];
  }

  /** A series with the ids of its books. */
  async findSeriesWithBooks(executor: SqlExecutor, id: number): Promise<object | undefined> {
    return (await executor.query<object>(WITH_BOOKS, [id]))[0];
  }

  /** @returns false when the id is in use */
  async insert(executor: SqlExecutor, id: number, title: string): Promise<boolean> {
    return (await executor.query(INSERT, [id, title])).length > 0;
  }

  async update(executor: SqlExecutor, id: number, title: string): Promise<void> {
    await executor.query(UPDATE, [id, title]);
  }

  /** Deletes a series; its books stay. @returns false when it does not exist */
  async delete(executor: SqlExecutor, id: number): Promise<boolean> {
    return (await executor.query(DELETE, [id])).length > 0;
  }
}
