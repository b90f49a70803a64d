import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { CitiesService } from '../cities/cities.service';
import { Settings } from '../config/settings';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { ChartsComputeService, type ChartRequest } from '../movies/charts-compute.service';
import { type WireRecord } from '../import-export/engine/editing';
import { RecordHandlers } from '../import-export/engine/handlers';
import { storeRecords } from '../import-export/engine/store';
import { dayWriter } from '../web/days';
import { checkEntries, checkPlaces, withDeltas, type Entry } from './charts.entries';
import { checkSubjects } from './records/records.input';

const COLUMNS = `c.id::text AS id, c.name, c.date::text AS date, c.city_id::text AS city_id,
  t.name AS city, c.period, c.computed, ${wireTime('c.created_at')} AS created,
  (SELECT count(*)::int FROM chart_entries e WHERE e.snapshot_id = c.id) AS entries`;

const LIST = new FilteredList<'name', SnapshotRow>({
  name: 'admin.charts',
  from: 'chart_snapshots h',
  descending: true,
  order: [
    { name: 'date', type: 'date', start: 'infinity' },
    { name: 'id', type: 'bigint', start: '9223372036854775807' },
  ],
  filters: { name: byValue('name') },
  columns: COLUMNS,
  joins: 'LEFT JOIN chart_snapshots c ON c.id = p.id LEFT JOIN cities t ON t.id = c.city_id',
});

const BY_ID = statement(
  'admin.chart',
  `SELECT ${COLUMNS} FROM chart_snapshots c LEFT JOIN cities t ON t.id = c.city_id WHERE c.id = $1`,
);

const OF_DAY = statement(
  'admin.charts_of_day',
  `SELECT json_agg(row_to_json(one) ORDER BY one.city_id) AS snapshots FROM (
     SELECT ${COLUMNS} FROM chart_snapshots c LEFT JOIN cities t ON t.id = c.city_id
     WHERE c.name = $1 AND c.date = $2::date) one`,
);

const REMOVE = statement('admin.remove_chart', 'DELETE FROM chart_snapshots WHERE id = $1');

/** A chart snapshot in lists (D36). */
export interface SnapshotRow {
  readonly id: string;
  readonly name: string;
  readonly date: string;
  readonly city_id: string | null;
  readonly city: string | null;
  readonly period: string;
  readonly computed: boolean;
  readonly created: string;
  readonly entries: number;
}

/** A snapshot to write. */
export interface SnapshotWish {
  readonly name: string;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** Id, uid or name of the city, for movies in theaters. */
  readonly city?: string;
  /** The displayed date range of its numbers. */
  readonly period?: string;
  readonly entries: unknown;
}

/** Administration of chart snapshots (D36). */
@Injectable()
export class AdminChartsService {
  constructor(
    private readonly database: Database,
    private readonly kinds: RecordHandlers,
    private readonly cities: CitiesService,
    private readonly computing: ChartsComputeService,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  list(name: string | undefined, page: PageQuery): Promise<Page<SnapshotRow>> {
    return LIST.page(this.database, { name }, page);
  }

  /** All matching snapshots, newest first. */
  scan(name: string | undefined): AsyncGenerator<SnapshotRow> {
    return LIST.scan(this.database, { name });
  }

  /** @throws OperationError 1001 when not found */
  async show(id: number): Promise<WireRecord> {
    const row = await this.row(id);
    const found = await this.read(this.database, this.recordOf(row));
    if (!found) throw notFound(`no such chart: ${id}`);
    return { id: row.id, ...found };
  }

  /**
   * Writes a snapshot and replaces that of the same chart and day.
   * @throws OperationError 1006 for an unknown city or subject, 1002 without entries, 999 for an
   *   invalid chart
   */
  async write(wish: SnapshotWish, actor: Actor): Promise<WireRecord> {
    const { name, date, period, entries } = wish;
    checkEntries(entries);
    const city = name === 'in_theaters' ? await this.cityOf(wish.city ?? '') : undefined;
    const kind = this.kinds.named('chart');
    const parsed = kind.parse({
      ...{ name, date, entries },
      ...(period === undefined ? {} : { period }),
      ...(city ? { city_id: city.id, city: city.name } : {}),
    }) as { readonly entries: readonly Entry[] };
    checkPlaces(parsed.entries);
    // The parts hold subject fields, which administrators edit in the subjects themselves.
    const record = { ...parsed, parts: [] };
    const read = (executor: SqlExecutor) => this.read(executor, record);
    const id = [name, date, ...(city ? [city.id] : [])].join('/');
    await this.audit.change({ actor, action: 'chart.write', kind: 'chart', id, read }, () =>
      this.database.transaction(async (executor) => {
        await checkSubjects(
          executor,
          parsed.entries.map(({ subject_id }) => subject_id),
        );
        const moved =
          name === 'weekly'
            ? await withDeltas(executor, parsed.entries, entries, date)
            : parsed.entries;
        await storeRecords(executor, kind, [{ ...record, entries: moved }]);
      }),
    );
    return (await this.read(this.database, record)) ?? {};
  }

  /** Computes a chart's snapshot of a day. @throws OperationError with the reason */
  async compute(request: ChartRequest, actor: Actor): Promise<object> {
    const { name } = request;
    const date = request.date ?? dayWriter(this.settings.TIME_ZONE)(new Date());
    const read = async (executor: SqlExecutor) =>
      (await executor.query<object>(OF_DAY, [name, date]))[0];
    return this.audit.change(
      { actor, action: 'chart.compute', kind: 'chart', id: `${name}/${date}`, read },
      () => this.computing.compute({ ...request, date }),
    );
  }

  /** @throws OperationError 1001 when not found */
  async remove(id: number, actor: Actor): Promise<void> {
    const row = await this.row(id);
    const record = this.recordOf(row);
    const read = (executor: SqlExecutor) => this.read(executor, record);
    const key = [row.name, row.date, ...(row.city_id === null ? [] : [row.city_id])].join('/');
    await this.audit.change({ actor, action: 'chart.remove', kind: 'chart', id: key, read }, () =>
      this.database.transaction((executor) => executor.query(REMOVE, [id])),
    );
  }

  private async row(id: number): Promise<SnapshotRow> {
    const [row] = await this.database.query<SnapshotRow>(BY_ID, [id]);
    if (!row) throw notFound(`no such chart: ${id}`);
    return row;
  }

  private recordOf({ name, date, city_id, city }: SnapshotRow): unknown {
    const where = city_id === null ? {} : { city_id, city };
    return this.kinds.named('chart').parse({ name, date, ...where, entries: [] });
  }

  private async read(executor: SqlExecutor, record: unknown): Promise<WireRecord | undefined> {
    const kind = this.kinds.named('chart');
    const [stored] = (await kind.load(executor, [record])).values();
    return stored === undefined ? undefined : kind.toJson(stored);
  }

  private async cityOf(name: string): Promise<{ id: number; name: string }> {
    if (name === '') throw new OperationError('city is missing', 'missingArgs');
    const city = await this.cities.find(name);
    if (!city) throw new OperationError(`no such city: ${name}`, 'targetNotFound');
    return city;
  }
}
