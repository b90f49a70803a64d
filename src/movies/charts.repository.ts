import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { type BoxRow, type SimpleSubjectRow, type WeeklyRow } from './movies.rows';
import { simpleSubjectColumns, subjectJson, subjectShown, type Projection } from './movies.sql';

/**
 * The served snapshot: the latest one of the chart, or of the city, that is not in the future
 * (D36).
 */
export const latestSnapshot = (name: string, city?: string): string => `
  SELECT id, period, date FROM chart_snapshots
  WHERE name = '${name}' AND city_id ${city === undefined ? 'IS NULL' : `= ${city}`}
    AND date <= current_date
  ORDER BY date DESC LIMIT 1`;

/** Entries of a snapshot without placeholders. */
const entriesOf = (snapshot: string): string => `
  SELECT e.rank, e.subject_id, e.box, e.new, e.delta
  FROM chart_entries e JOIN subjects s ON s.id = e.subject_id AND ${subjectShown()}
  WHERE e.snapshot_id = (SELECT id FROM (${snapshot}) latest)`;

const paged = (name: string, projection: Projection, city?: string): Statement =>
  statement(
    `charts.${name}_${projection}`,
    paginated({
      hits: entriesOf(latestSnapshot(name, city)),
      key: 'rank',
      order: ['rank'],
      columns: simpleSubjectColumns(projection),
      joins: 'LEFT JOIN subjects s ON s.id = p.subject_id',
      limit: ['$1', '$2'],
    }),
  );

/** A page of the best movies; the benchmark uses it too. */
export const TOP250: Readonly<Record<Projection, Statement>> = {
  basic: paged('top250', 'basic'),
  full: paged('top250', 'full'),
};
const COMING_SOON = paged('coming_soon', 'full');
const IN_THEATERS = paged('in_theaters', 'full', '$3');

const fullChart = (name: string, projection: Projection, columns: string): Statement =>
  statement(
    `charts.${name}_${projection}`,
    `WITH latest AS MATERIALIZED (${latestSnapshot(name)})
     SELECT l.period, l.date::text AS date, e.rank, ${columns}
     FROM latest l
     LEFT JOIN (${entriesOf('SELECT id FROM latest')}) e ON true
     LEFT JOIN subjects s ON s.id = e.subject_id
     ORDER BY e.rank`,
  );
const usBox = (projection: Projection): Statement =>
  fullChart('us_box', projection, `e.box, e.new, ${subjectJson(projection)} AS subject`);
const US_BOX = { basic: usBox('basic'), full: usBox('full') };
const WEEKLY = fullChart('weekly', 'full', `e.delta, ${subjectJson('full')} AS subject`);
const NEW_MOVIES = fullChart('new_movies', 'full', simpleSubjectColumns('full'));

/** A complete chart with the date range of its snapshot; empty without a snapshot. */
export interface FullChart<T> {
  /** As imported; empty when it derives from the date. */
  readonly period: string;
  /** `yyyy-MM-dd`, empty without a snapshot. */
  readonly date: string;
  readonly entries: readonly T[];
}

type EntryRow<T> = T & {
  readonly rank: number | null;
  readonly period: string;
  readonly date: string;
};

@Injectable()
export class ChartsRepository {
  constructor(private readonly database: Database) {}

  top250(page: PageQuery, projection: Projection): Promise<Page<SimpleSubjectRow>> {
    return this.page(TOP250[projection], page);
  }

  comingSoon(page: PageQuery): Promise<Page<SimpleSubjectRow>> {
    return this.page(COMING_SOON, page);
  }

  listInTheaters(cityId: number, page: PageQuery): Promise<Page<SimpleSubjectRow>> {
    return this.page(IN_THEATERS, page, cityId);
  }

  usBox(projection: Projection): Promise<FullChart<BoxRow>> {
    return this.fullChart<BoxRow>(US_BOX[projection]);
  }

  weekly(): Promise<FullChart<WeeklyRow>> {
    return this.fullChart<WeeklyRow>(WEEKLY);
  }

  newMovies(): Promise<FullChart<SimpleSubjectRow>> {
    return this.fullChart<SimpleSubjectRow>(NEW_MOVIES);
  }

  private async page(
    what: Statement,
    page: PageQuery,
    ...more: unknown[]
  ): Promise<Page<SimpleSubjectRow>> {
    const values = [page.count, page.start, ...more];
    const rows = await this.database.query<SimpleSubjectRow & PageRow>(what, values);
    return toPage(rows, page.start);
  }

  private async fullChart<T>(what: Statement): Promise<FullChart<T>> {
    const rows = await this.database.query<EntryRow<T>>(what);
    const [first] = rows;
    // A snapshot without entries has one row with nulls.
    const entries = rows.filter(({ rank }) => rank !== null);
    return { period: first?.period ?? '', date: first?.date ?? '', entries };
  }
}
