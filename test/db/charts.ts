import { CitiesRepository } from '../../src/cities/cities.repository';
import { CitiesService } from '../../src/cities/cities.service';
import { ChartsComputeRepository } from '../../src/movies/charts-compute.repository';
import {
  ChartsComputeService,
  type ChartRequest,
  type ComputedSummary,
} from '../../src/movies/charts-compute.service';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';

/** The day that charts are computed for when a test says no other. */
export const DAY = '2026-03-01';

export type Row = Record<string, unknown>;

/** A film's row with a rating. */
export const rated = (id: number, rating: number, ratings: number, more: Row = {}): Row => ({
  id,
  rating_average: rating,
  ratings_count: ratings,
  ...more,
});

/** Charts on a database of their own. */
export class Charts {
  readonly service: ChartsComputeService;

  private constructor(private readonly opened: TestDatabase) {
    this.service = new ChartsComputeService(
      new ChartsComputeRepository(opened.database),
      new CitiesService(new CitiesRepository(opened.database)),
      testSettings({ TIME_ZONE: 'Asia/Shanghai' }),
    );
  }

  static async open(): Promise<Charts> {
    return new Charts(await openTestDatabase());
  }

  close(): Promise<void> {
    return this.opened.close();
  }

  query<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.opened.source.query<T[]>(sql, [...values]);
  }

  async insert(table: string, ...rows: Row[]): Promise<void> {
    for (const row of rows) {
      const names = Object.keys(row);
      const places = names.map((_, n) => `$${n + 1}`);
      await this.query(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
        Object.values(row),
      );
    }
  }

  films(...rows: Row[]): Promise<void> {
    return this.insert('subjects', ...rows.map((row) => ({ title: 'Film', ...row })));
  }

  compute(name: string, more: Partial<ChartRequest> = {}): Promise<ComputedSummary> {
    return this.service.compute({ name, date: DAY, ...more });
  }

  /** Ids of a chart's subjects in their order; ranks must be 1 and on. */
  async listed(name: string, day = DAY, city: number | null = null): Promise<number[]> {
    const rows = await this.query<{ id: number; rank: number }>(
      `SELECT e.subject_id::int AS id, e.rank FROM chart_entries e
       JOIN chart_snapshots s ON s.id = e.snapshot_id
       WHERE s.name = $1 AND s.date = $2::date AND s.city_id IS NOT DISTINCT FROM $3::bigint
       ORDER BY e.rank`,
      [name, day, city],
    );
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, at) => at + 1));
    return rows.map(({ id }) => id);
  }

  async snapshots(name: string): Promise<number> {
    const rows = await this.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM chart_snapshots WHERE name = $1',
      [name],
    );
    return Number(rows[0]?.n);
  }
}
