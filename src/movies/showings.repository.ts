import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor } from '../database/database';
import { FilteredList } from '../database/filtered-list';

const COLUMNS = `w.id::text AS id, w.subject_id::text AS subject_id, s.title,
  w.city_id::text AS city_id, t.name AS city, w.from_date::text AS "from",
  w.until_date::text AS until`;
const TABLES = `LEFT JOIN subjects s ON s.id = w.subject_id LEFT JOIN cities t ON t.id = w.city_id`;

const LIST = new FilteredList<'city' | 'subject', ShowingRow>({
  name: 'showings.list',
  from: 'showings h',
  descending: true,
  filters: {
    city: { sql: (id = '') => `h.city_id = ${id}::bigint`, few: true },
    subject: { sql: (id = '') => `h.subject_id = ${id}::bigint` },
  },
  columns: COLUMNS,
  joins: `LEFT JOIN showings w ON w.id = p.id ${TABLES}`,
});

const BY_KEY = statement(
  'showings.by_key',
  `SELECT ${COLUMNS} FROM showings w ${TABLES}
   WHERE w.subject_id = $1 AND w.city_id = $2 AND w.from_date = $3::date`,
);

const BY_ID = statement(
  'showings.by_id',
  `SELECT ${COLUMNS} FROM showings w ${TABLES} WHERE w.id = $1`,
);

const WRITE = statement(
  'showings.write',
  `WITH w AS (
     INSERT INTO showings (subject_id, city_id, from_date, until_date)
     VALUES ($1, $2, $3::date, $4::date)
     ON CONFLICT (subject_id, city_id, from_date) DO UPDATE SET until_date = EXCLUDED.until_date
     RETURNING *)
   SELECT ${COLUMNS} FROM w ${TABLES}`,
);

const DELETE = statement('showings.delete', 'DELETE FROM showings WHERE id = $1');

/** The run of a movie in a city; `until` is null when not known. */
export interface ShowingRow {
  readonly id: string;
  readonly subject_id: string;
  readonly title: string;
  readonly city_id: string;
  readonly city: string;
  readonly from: string;
  readonly until: string | null;
}

/** A showing is identified by its movie, city and first day, `yyyy-MM-dd`. */
export type ShowingKey = readonly [subjectId: number, cityId: number, from: string];

/** Filters of the list of showings; undefined means any. */
export interface ShowingFilter {
  readonly city: number | undefined;
  readonly subject: number | undefined;
}

@Injectable()
export class ShowingsRepository {
  constructor(private readonly database: Database) {}

  /** Showings, newest first. */
  list({ city, subject }: ShowingFilter, page: PageQuery): Promise<Page<ShowingRow>> {
    return LIST.page(this.database, { city, subject }, page);
  }

  /** All matching showings, newest first. */
  scan({ city, subject }: ShowingFilter): AsyncGenerator<ShowingRow> {
    return LIST.scan(this.database, { city, subject });
  }

  async findShowing(key: ShowingKey, executor: SqlExecutor): Promise<ShowingRow | undefined> {
    return (await executor.query<ShowingRow>(BY_KEY, key))[0];
  }

  async findShowingById(
    id: number,
    executor: SqlExecutor = this.database,
  ): Promise<ShowingRow | undefined> {
    return (await executor.query<ShowingRow>(BY_ID, [id]))[0];
  }

  /** Inserts a showing, or updates the end of the showing with the same key. */
  async write(executor: SqlExecutor, key: ShowingKey, until: string | null): Promise<ShowingRow> {
    const [row] = await executor.query<ShowingRow>(WRITE, [...key, until]);
    return row as ShowingRow;
  }

  async delete(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(DELETE, [id]);
  }
}
