import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byPart, FilteredList } from '../database/filtered-list';
import { reserveIds } from '../import-export/engine/sequences';

const BOOKS =
  '(SELECT count(*)::int FROM books b WHERE b.series_id = s.id AND NOT b.stub) AS books';

const BY_ID = statement(
  'admin.series',
  `SELECT s.id::text AS id, s.title, ${BOOKS} FROM series s WHERE s.id = $1`,
);

// The audited state of a series includes its books, so that an administrator can restore it.
const READ = statement(
  'admin.series_with_books',
  `SELECT s.id::text AS id, s.title, (SELECT coalesce(json_agg(b.id::text ORDER BY b.id), '[]')
     FROM books b WHERE b.series_id = s.id) AS books
   FROM series s WHERE s.id = $1`,
);

const LIST = new FilteredList<'q', SeriesRow>({
  name: 'admin.series_list',
  from: 'series h',
  filters: { q: byPart('h.title') },
  columns: `s.id::text AS id, s.title, ${BOOKS}`,
  joins: 'LEFT JOIN series s ON s.id = p.id',
});

const NEXT = statement('admin.next_id_of_series', `SELECT nextval('series_id_seq')::float8 AS id`);

const ADD = statement(
  'admin.add_series',
  'INSERT INTO series (id, title) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING 1',
);

const CHANGE = statement(
  'admin.change_series',
  'UPDATE series SET title = $2 WHERE id = $1 RETURNING 1',
);

const REMOVE = statement('admin.remove_series', 'DELETE FROM series WHERE id = $1 RETURNING 1');

/** Maximum length of a series title in characters. */
export const SERIES_TITLE = 1000;

/** A series with its number of books. */
export interface SeriesRow {
  readonly id: string;
  readonly title: string;
  readonly books: number;
}

/** Administration of book series (D25). Books of a deleted series stay, without a series. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
  ) {}

  list(q: string | undefined, page: PageQuery): Promise<Page<SeriesRow>> {
    return LIST.page(this.database, { q: q === '' ? undefined : q }, page);
  }

  /** All matching series, ordered by id. */
  scan(q: string | undefined): AsyncGenerator<SeriesRow> {
    return LIST.scan(this.database, { q: q === '' ? undefined : q });
  }

  /** @throws OperationError 1001 when not found */
  async show(id: number): Promise<SeriesRow> {
    const [found] = await this.database.query<SeriesRow>(BY_ID, [id]);
    if (!found) throw notFound(`no such series: ${id}`);
    return found;
  }

  /** @throws OperationError 999 when the id is in use */
  async create(title: string, given: number | undefined, actor: Actor): Promise<SeriesRow> {
    const id = given ?? (await this.database.query<{ id: number }>(NEXT))[0]?.id ?? 0;
    await this.change('create', id, actor, async (executor) => {
      await reserveIds(executor, 'series', [id]);
      const made = await executor.query(ADD, [id, title]);
      if (made.length === 0) throw new OperationError(`${id} exists: PUT updates it`);
    });
    return this.show(id);
  }

  /** @throws OperationError 1001 when not found */
  async update(id: number, title: string, actor: Actor): Promise<SeriesRow> {
    await this.change('update', id, actor, (executor) =>
      this.once(executor.query(CHANGE, [id, title]), id),
    );
    return this.show(id);
  }

  /** @throws OperationError 1001 when not found */
  remove(id: number, actor: Actor): Promise<void> {
    return this.change('remove', id, actor, (executor) =>
      this.once(executor.query(REMOVE, [id]), id),
    );
  }

  private async once(changed: Promise<unknown[]>, id: number): Promise<void> {
    if ((await changed).length === 0) throw notFound(`no such series: ${id}`);
  }

  private change(
    verb: string,
    id: number,
    actor: Actor,
    work: (executor: SqlExecutor) => Promise<void>,
  ): Promise<void> {
    const read = async (executor: SqlExecutor) => (await executor.query<object>(READ, [id]))[0];
    return this.audit.change(
      { actor, action: `series.${verb}`, kind: 'series', id: String(id), read },
      () => this.database.transaction(work),
    );
  }
}
