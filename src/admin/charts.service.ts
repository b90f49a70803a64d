import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { CitiesService } from '../cities/cities.service';
import { Settings } from '../config/settings';
import { Database, type SqlExecutor } from '../database/database';
import { ChartSnapshotsRepository, type SnapshotRow } from '../movies/chart-snapshots.repository';
import { ChartsComputeService, type ChartRequest } from '../movies/charts-compute.service';
import { type WireRecord } from '../import-export/engine/record-edit-hooks';
import { RecordHandlers } from '../import-export/engine/handlers';
import { storeRecords } from '../import-export/engine/store';
import { dayWriter } from '../web/days';
import { checkEntries, checkPlaces, withDeltas, type Entry } from './charts.entries';
import { checkSubjects } from './records/records.input';

/** A snapshot to write. */
export interface SnapshotValues {
  readonly name: string;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** Id, uid or name of the city, for movies in theaters. */
  readonly city?: string;
  /** The displayed date range of its numbers. */
  readonly period?: string;
  readonly entries: unknown;
}

/** A snapshot with the name of its city and the titles of its films by id. */
export interface NamedSnapshot {
  readonly record: WireRecord;
  readonly city: string | null;
  readonly computed: boolean;
  readonly titles: ReadonlyMap<string, string>;
}

/** Key of all snapshots of a chart and day: `in_theaters` has one for each city. */
const dayKey = (name: string, date: string): string => `${name}/${date}`;

const snapshotKey = (name: string, date: string, cityId: number | string | null): string =>
  cityId === null ? dayKey(name, date) : `${dayKey(name, date)}/${cityId}`;

/** Administration of chart snapshots (D36). */
@Injectable()
export class AdminChartsService {
  constructor(
    private readonly database: Database,
    private readonly snapshots: ChartSnapshotsRepository,
    private readonly kinds: RecordHandlers,
    private readonly cities: CitiesService,
    private readonly computing: ChartsComputeService,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  list(name: string | undefined, page: PageQuery): Promise<Page<SnapshotRow>> {
    return this.snapshots.list(name, page);
  }

  /** All matching snapshots, newest first. */
  scan(name: string | undefined): AsyncGenerator<SnapshotRow> {
    return this.snapshots.scan(name);
  }

  /** @throws OperationError 1001 when not found */
  async getSnapshot(id: number): Promise<WireRecord> {
    const row = await this.row(id);
    const found = await this.read(this.database, this.recordOf(row));
    if (!found) throw notFound(`chart not found: ${id}`);
    return { id: row.id, ...found };
  }

  /**
   * A snapshot with the names that its page shows.
   * @throws OperationError 1001 when not found
   */
  async getNamedSnapshot(id: number): Promise<NamedSnapshot> {
    const { city, computed } = await this.row(id);
    const [record, titles] = await Promise.all([
      this.getSnapshot(id),
      this.snapshots.findTitles(id),
    ]);
    return { record, city, computed, titles };
  }

  /**
   * Writes a snapshot and replaces that of the same chart and day.
   * @throws OperationError 1006 for an unknown city or subject, 1002 without entries, 999 for an
   *   invalid chart
   */
  async write(requested: SnapshotValues, actor: Actor): Promise<WireRecord> {
    const { name, date, period, entries } = requested;
    checkEntries(entries);
    const city = name === 'in_theaters' ? await this.cityOf(requested.city ?? '') : undefined;
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
    const id = snapshotKey(name, date, city?.id ?? null);
    const lockKey = dayKey(name, date);
    const change = { actor, action: 'chart.write', kind: 'chart', id, lockKey, read };
    return this.audit.logChange(change, (hooks) =>
      this.database.transaction(async (executor) => {
        await checkSubjects(
          executor,
          parsed.entries.map(({ subject_id }) => subject_id),
        );
        const moved =
          name === 'weekly'
            ? withDeltas(
                parsed.entries,
                entries,
                await this.snapshots.weeklyRanksBefore(executor, date),
              )
            : parsed.entries;
        await storeRecords(executor, kind, [{ ...record, entries: moved }]);
        // A merge or a deletion right after the commit can change or delete the snapshot.
        return (await read(executor)) ?? {};
      }, hooks),
    );
  }

  /** Computes a chart's snapshot of a day. @throws OperationError with the reason */
  async compute(request: ChartRequest, actor: Actor): Promise<object> {
    const { name } = request;
    const date = request.date ?? dayWriter(this.settings.TIME_ZONE)(new Date());
    const read = (executor: SqlExecutor) => this.snapshots.listOfDay(executor, name, date);
    return this.audit.logChange(
      { actor, action: 'chart.compute', kind: 'chart', id: dayKey(name, date), read },
      (hooks) => this.computing.compute({ ...request, date }, hooks),
    );
  }

  /** @throws OperationError 1001 when not found */
  async deleteSnapshot(id: number, actor: Actor): Promise<void> {
    const row = await this.row(id);
    const record = this.recordOf(row);
    const read = (executor: SqlExecutor) => this.read(executor, record);
    const key = snapshotKey(row.name, row.date, row.city_id);
    await this.audit.logChange(
      {
        ...{ actor, action: 'chart.remove', kind: 'chart', id: key, read },
        lockKey: dayKey(row.name, row.date),
      },
      (hooks) =>
        this.database.transaction((executor) => this.snapshots.delete(executor, id), hooks),
    );
  }

  private async row(id: number): Promise<SnapshotRow> {
    const row = await this.snapshots.findSnapshot(id);
    if (!row) throw notFound(`chart not found: ${id}`);
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
    if (!city) throw new OperationError(`city not found: ${name}`, 'targetNotFound');
    return city;
  }
}
