import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { SeriesRepository, type SeriesRow } from '../books/series.repository';
import { Database, type SqlExecutor } from '../database/database';
import { DirectDatabase } from '../database/direct-database';
import { reserveIds } from '../import-export/engine/sequences';
import { IdTaken, withNewId } from './new-ids';
import { recordChangeOptions } from './records/record-change-options';

/** Maximum length of a series title in characters. */
export const SERIES_TITLE = 1000;

/** Administration of book series (D25). Books of a deleted series stay, without a series. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly database: Database,
    private readonly direct: DirectDatabase,
    private readonly series: SeriesRepository,
    private readonly audit: AuditService,
  ) {}

  list(q: string | undefined, page: PageQuery): Promise<Page<SeriesRow>> {
    return this.series.list(q === '' ? undefined : q, page);
  }

  /** All matching series, ordered by id. */
  scan(q: string | undefined): AsyncGenerator<SeriesRow> {
    return this.series.scan(q === '' ? undefined : q);
  }

  /** @throws OperationError 1001 when not found */
  async getSeries(id: number): Promise<SeriesRow> {
    return this.orNotFound(id, await this.series.findSeries(id));
  }

  /** @throws OperationError 999 when the id is in use */
  async create(title: string, requestedId: number | undefined, actor: Actor): Promise<SeriesRow> {
    return withNewId(this.database, 'series', requestedId, (id) =>
      this.change('create', id, actor, async (executor) => {
        await reserveIds(executor, 'series', [id]);
        if (!(await this.series.insert(executor, id, title))) throw new IdTaken(id);
        return this.orNotFound(id, await this.series.findSeries(id, executor));
      }),
    );
  }

  /** @throws OperationError 1001 when not found */
  async update(id: number, title: string, actor: Actor): Promise<SeriesRow> {
    return this.change('update', id, actor, async (executor) => {
      await this.series.update(executor, id, title);
      return this.orNotFound(id, await this.series.findSeries(id, executor));
    });
  }

  /** @throws OperationError 1001 when not found */
  deleteSeries(id: number, actor: Actor): Promise<void> {
    return this.change('remove', id, actor, async (executor) => {
      if (!(await this.series.delete(executor, id))) throw notFound(`series not found: ${id}`);
    });
  }

  private change<T>(
    verb: string,
    id: number,
    actor: Actor,
    work: (executor: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    // The audited state of a series includes its books, so that an administrator can restore it. The
    // lock makes edits of these books wait, because they write the series title that they read.
    const read = (executor: SqlExecutor) => this.series.findSeriesWithBooks(executor, id);
    return this.audit.logChange(
      { actor, action: `series.${verb}`, kind: 'series', id: String(id), read },
      (hooks) => this.direct.transaction(work, recordChangeOptions('book', hooks)),
    );
  }

  private orNotFound(id: number, series: SeriesRow | undefined): SeriesRow {
    if (!series) throw notFound(`series not found: ${id}`);
    return series;
  }
}
