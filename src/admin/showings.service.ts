import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { CitiesService } from '../cities/cities.service';
import { Database, statement, type SqlExecutor } from '../database/database';
import { FilteredList } from '../database/filtered-list';
import { checkSubjects } from './records/records.input';

const COLUMNS = `w.id::text AS id, w.subject_id::text AS subject_id, s.title,
  w.city_id::text AS city_id, t.name AS city, w.from_date::text AS "from",
  w.until_date::text AS until`;
const TABLES = `LEFT JOIN subjects s ON s.id = w.subject_id LEFT JOIN cities t ON t.id = w.city_id`;

const LIST = new FilteredList<'city' | 'subject', ShowingRow>({
  name: 'admin.showings',
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
  'admin.showing',
  `SELECT ${COLUMNS} FROM showings w ${TABLES}
   WHERE w.subject_id = $1 AND w.city_id = $2 AND w.from_date = $3::date`,
);

const BY_ID = statement(
  'admin.showing_by_id',
  `SELECT ${COLUMNS} FROM showings w ${TABLES} WHERE w.id = $1`,
);

const WRITE = statement(
  'admin.write_showing',
  `INSERT INTO showings (subject_id, city_id, from_date, until_date)
   VALUES ($1, $2, $3::date, $4::date)
   ON CONFLICT (subject_id, city_id, from_date) DO UPDATE SET until_date = EXCLUDED.until_date`,
);

const REMOVE = statement('admin.remove_showing', 'DELETE FROM showings WHERE id = $1');

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

/** A showing to write. Days are `yyyy-MM-dd`, both inclusive. */
export interface ShowingWish {
  readonly subject_id: number;
  /** Id, uid or name of the city. */
  readonly city: string;
  readonly from: string;
  readonly until?: string;
}

/** Administration of showings (D36, D37). */
@Injectable()
export class ShowingsService {
  constructor(
    private readonly database: Database,
    private readonly cities: CitiesService,
    private readonly audit: AuditService,
  ) {}

  /** Showings, newest first. @throws OperationError 1006 for an unknown city */
  async list(
    city: string | undefined,
    subject: number | undefined,
    page: PageQuery,
  ): Promise<Page<ShowingRow>> {
    const wanted = { city: city === undefined ? undefined : await this.cityId(city), subject };
    return LIST.page(this.database, wanted, page);
  }

  /** All matching showings, newest first. @throws OperationError 1006 for an unknown city */
  async *scan(city: string | undefined, subject: number | undefined): AsyncGenerator<ShowingRow> {
    const wanted = { city: city === undefined ? undefined : await this.cityId(city), subject };
    yield* LIST.scan(this.database, wanted);
  }

  /**
   * Creates a showing, or updates the end of the one that begins on the same day.
   * @throws OperationError 1006 for an unknown city or subject, 999 for an end before the beginning
   */
  async write(wish: ShowingWish, actor: Actor): Promise<ShowingRow> {
    const { subject_id, from, until = null } = wish;
    if (until !== null && until < from) throw new OperationError('until must not be before from');
    const key = [subject_id, await this.cityId(wish.city), from];
    const read = async (executor: SqlExecutor) =>
      (await executor.query<ShowingRow>(BY_KEY, key))[0];
    await this.change('write', key.join('/'), read, actor, async (executor) => {
      await checkSubjects(executor, [subject_id]);
      await executor.query(WRITE, [...key, until]);
    });
    return (await read(this.database)) as ShowingRow;
  }

  /** @throws OperationError 1001 when not found */
  async remove(id: number, actor: Actor): Promise<void> {
    const read = async (executor: SqlExecutor) =>
      (await executor.query<ShowingRow>(BY_ID, [id]))[0];
    const found = await read(this.database);
    if (!found) throw notFound(`no such showing: ${id}`);
    const key = [found.subject_id, found.city_id, found.from].join('/');
    await this.change('remove', key, read, actor, async (executor) => {
      await executor.query(REMOVE, [id]);
    });
  }

  private change(
    verb: string,
    id: string,
    read: (executor: SqlExecutor) => Promise<object | undefined>,
    actor: Actor,
    work: (executor: SqlExecutor) => Promise<void>,
  ): Promise<void> {
    return this.audit.change({ actor, action: `showing.${verb}`, kind: 'showing', id, read }, () =>
      this.database.transaction(work),
    );
  }

  private async cityId(name: string): Promise<number> {
    const city = await this.cities.find(name);
    if (!city) throw new OperationError(`no such city: ${name}`, 'targetNotFound');
    return city.id;
  }
}
