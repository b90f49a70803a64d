import { MovieSettings } from '../../config/movie-settings';
import { type SqlExecutor } from '../../database/database';
import { type RecordHandler, type Part } from '../engine/record-handler';
import { ensurePlaceholderCities } from '../events/loc.handler';
import { readCount } from '../engine/counting';
import { followMerges, type MergedReference } from '../engine/merged-references';
import { RecordError } from '../engine/record';
import { parseChart, type ChartEntry, type ChartOptions, type ChartRecord } from './chart.record';
import {
  AFTER,
  CITIES,
  COUNT,
  LOAD,
  LOCK_CHARTS,
  REMOVE_ENTRIES,
  TODAY,
  WRITE_ENTRIES,
  WRITE_SNAPSHOTS,
} from './chart.statements';
import { lockMovieRows } from './movie-locks';
import { type MovieHandlers } from './movie-handlers';
import { ensurePlaceholders } from './placeholders';

const keyOf = ({ name, city_id, date }: ChartRecord): string =>
  `${name} ${city_id ?? ''} ${date ?? ''}`;

/** The default city when neither the file, the command nor a setting names one. */
const { DEFAULT_CITY } = new MovieSettings();

/** Whether a first page differs from the stored chart, and therefore replaces it. */
const replacesStored = ({ entries }: ChartRecord, stored: readonly ChartEntry[]): boolean =>
  entries[0]?.rank === 1 &&
  entries.some((entry, at) => JSON.stringify(stored[at]) !== JSON.stringify(entry));

/**
 * Merges a page into the stored chart: it replaces its ranks and removes its subjects elsewhere.
 */
function mergeEntries(chart: ChartRecord, stored: readonly ChartEntry[]): readonly ChartEntry[] {
  if (!chart.page || replacesStored(chart, stored)) return chart.entries;
  const ranks = new Set(chart.entries.map(({ rank }) => rank));
  const subjects = new Set(chart.entries.map(({ subject_id }) => subject_id));
  const last = Math.max(chart.page.total, ...ranks);
  const remaining = stored.filter(
    ({ rank, subject_id }) => rank <= last && !ranks.has(rank) && !subjects.has(subject_id),
  );
  return [...remaining, ...chart.entries].sort((one, other) => one.rank - other.rank);
}

/** The films in the entries of a chart. The first of two entries of one film stays. */
const ENTRY_SUBJECTS: MergedReference<ChartRecord> = {
  kind: 'movie',
  idsOf: ({ entries }) => entries.map(({ subject_id }) => subject_id),
  replaceIds: (record, current) => {
    const seen = new Set<number>();
    const entries = record.entries
      .map((entry) => ({ ...entry, subject_id: current(entry.subject_id) }))
      .filter(({ subject_id }) => !seen.has(subject_id) && seen.add(subject_id));
    return { ...record, entries };
  },
};

/** Imports and exports charts, which are dated snapshots (D36). */
export class ChartHandler implements RecordHandler<ChartRecord> {
  readonly name = 'chart';
  readonly member = 'charts';
  readonly nestedLists = ['subjects', 'entries'] as const;

  constructor(
    private readonly family: MovieHandlers,
    private readonly options: ChartOptions = {},
  ) {}

  /** The same handler with defaults for files that do not name their chart. */
  with(options: ChartOptions): ChartHandler {
    return new ChartHandler(this.family, options);
  }

  parse(value: unknown): ChartRecord {
    return parseChart(this.family, value, this.options);
  }

  async lockRows(executor: SqlExecutor, records: readonly ChartRecord[]): Promise<void> {
    await executor.query(LOCK_CHARTS);
    await lockMovieRows(executor, this, records);
  }

  async resolveIds(executor: SqlExecutor, records: readonly ChartRecord[]): Promise<ChartRecord[]> {
    await executor.query(LOCK_CHARTS);
    const [row] = await executor.query<{ today: string }>(TODAY);
    const current = await followMerges(executor, ENTRY_SUBJECTS, records);
    const placed = await this.withCities(executor, current);
    const dated = placed.map((chart) => ({ ...chart, date: chart.date ?? row?.today }));
    const stored = await this.load(executor, dated);
    const charts = new Map<string, ChartRecord>();
    for (const chart of dated) {
      const key = keyOf(chart);
      const before = charts.get(key) ?? stored.get(key);
      charts.set(key, {
        ...chart,
        city: undefined,
        city_name: before?.city_name ?? (chart.city_name || String(chart.city_id)),
        period: chart.period ?? before?.period ?? '',
        entries: mergeEntries(chart, before?.entries ?? []),
      });
    }
    return [...charts.values()];
  }

  private async withCities(
    executor: SqlExecutor,
    records: readonly ChartRecord[],
  ): Promise<ChartRecord[]> {
    const open = records.filter(({ name, city_id }) => name === 'in_theaters' && city_id === null);
    if (open.length === 0) return [...records];
    const fallback = this.options.defaultCity ?? DEFAULT_CITY;
    const names = open.map(({ city }) => city ?? fallback);
    const rows = await executor.query<{ city: string; id: number; name: string }>(CITIES, [
      [...new Set(names)],
    ]);
    const cities = new Map(rows.map((row) => [row.city, row]));
    return records.map((chart) => {
      if (!open.includes(chart)) return chart;
      const name = chart.city ?? fallback;
      const city = cities.get(name);
      if (city) {
        return { ...chart, city_id: city.id, city: undefined, city_name: city.name };
      }
      throw new RecordError(
        `city not found: ${name}; import cities first, or name an existing one with --city`,
      );
    });
  }

  key(record: ChartRecord): string {
    return record.city === undefined ? keyOf(record) : `${keyOf(record)} ${record.city}`;
  }

  // Pages of the same chart are stored in order.
  lane({ name }: ChartRecord): string {
    return name;
  }

  async load(
    executor: SqlExecutor,
    records: readonly ChartRecord[],
  ): Promise<Map<string, ChartRecord>> {
    const rows = await executor.query<ChartRecord>(LOAD, [
      records.map(({ name }) => name),
      records.map(({ city_id }) => city_id),
      records.map(({ date }) => date),
    ]);
    return new Map(rows.map((row) => [keyOf(row), row]));
  }

  dependencies({ parts }: ChartRecord): readonly Part[] {
    return parts ?? [];
  }

  async write(executor: SqlExecutor, records: readonly ChartRecord[]): Promise<void> {
    await ensurePlaceholderCities(
      executor,
      records.flatMap(({ city_id, city_name }) =>
        city_id === null ? [] : [{ id: city_id, name: city_name ?? '' }],
      ),
    );
    await ensurePlaceholders(
      executor,
      records.flatMap(({ entries }) => entries.map(({ subject_id }) => subject_id)),
    );
    const rows = await executor.query<ChartRecord & { id: number }>(WRITE_SNAPSHOTS, [
      JSON.stringify(
        records.map(({ name, city_id, date, period, computed }) => ({
          name,
          city_id,
          date,
          period,
          computed,
        })),
      ),
    ]);
    const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
    await executor.query(REMOVE_ENTRIES, [[...ids.values()]]);
    const entries = records.flatMap((chart) =>
      chart.entries.map((entry) => ({ ...entry, snapshot_id: ids.get(keyOf(chart)) })),
    );
    await executor.query(WRITE_ENTRIES, [JSON.stringify(entries)]);
  }

  toJson(chart: ChartRecord): Record<string, unknown> {
    const { name, date, city_id, city_name, period, computed, entries } = chart;
    return {
      name,
      date,
      ...(city_id === null ? {} : { city_id: String(city_id), city: city_name }),
      ...(period === '' ? {} : { period }),
      ...(computed ? { computed } : {}),
      entries: entries.map((entry) => ({
        rank: entry.rank,
        subject_id: String(entry.subject_id),
        ...(entry.box === 0 ? {} : { box: entry.box }),
        ...(entry.new ? { new: true } : {}),
        ...(entry.delta === 0 ? {} : { delta: entry.delta }),
      })),
    };
  }

  countStored(executor: SqlExecutor): Promise<number> {
    return readCount(executor, COUNT);
  }

  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const rows = await executor.query<ChartRecord & { day: number }>(AFTER, [id, limit]);
    return rows.map((record) => ({ id: record.day, record }));
  }
}
