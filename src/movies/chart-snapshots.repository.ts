import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';

const COLUMNS = `c.id::text AS id, c.name, c.date::text AS date, c.city_id::text AS city_id,
  t.name AS city, c.period, c.computed, ${wireTime('c.created_at')} AS created,
  (SELECT count(*)::int FROM chart_entries e WHERE e.snapshot_id = c.id) AS entries`;

const LIST = new FilteredList<'name', SnapshotRow>({
  name: 'chart_snapshots.list',
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
  'chart_snapshots.by_id',
  `SELECT ${COLUMNS} FROM chart_snapshots c LEFT JOIN cities t ON t.id = c.city_id WHERE c.id = $1`,
);

const OF_DAY = statement(
  'chart_snapshots.of_day',
  `SELECT json_agg(row_to_json(one) ORDER BY one.city_id) AS snapshots FROM (
     SELECT ${COLUMNS} FROM chart_snapshots c LEFT JOIN cities t ON t.id = c.city_id
     WHERE c.name = $1 AND c.date = $2::date) one`,
);

const WEEKLY_BEFORE = statement(
  'chart_snapshots.weekly_before',
  `SELECT subject_id::float8 AS subject_id, min(rank)::int AS rank FROM chart_entries
   WHERE snapshot_id = (SELECT id FROM chart_snapshots
     WHERE name = 'weekly' AND date < $1::date ORDER BY date DESC LIMIT 1)
   GROUP BY subject_id`,
);

const TITLES = statement(
  'chart_snapshots.titles',
  `SELECT s.id::text AS id, s.title FROM chart_entries e JOIN subjects s ON s.id = e.subject_id
   WHERE e.snapshot_id = $1`,
);

const DELETE = statement('chart_snapshots.delete', 'DELETE FROM chart_snapshots WHERE id = $1');

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

@Injectable()
export class ChartSnapshotsRepository {
  constructor(private readonly database: Database) {}

  /** Snapshots, newest first. */
  list(name: string | undefined, page: PageQuery): Promise<Page<SnapshotRow>> {
    return LIST.page(this.database, { name }, page);
  }

  /** All matching snapshots, newest first. */
  scan(name: string | undefined): AsyncGenerator<SnapshotRow> {
    return LIST.scan(this.database, { name });
  }

  async findSnapshot(id: number): Promise<SnapshotRow | undefined> {
    return (await this.database.query<SnapshotRow>(BY_ID, [id]))[0];
  }

  /** The titles of the films of a snapshot by id; placeholders have an empty one. */
  async findTitles(id: number): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ id: string; title: string }>(TITLES, [id]);
    return new Map(rows.map((row) => [row.id, row.title]));
  }

  /** The snapshots of a chart on a day, one per city. */
  async listOfDay(
    executor: SqlExecutor,
    name: string,
    date: string,
  ): Promise<{ readonly snapshots: readonly SnapshotRow[] | null } | undefined> {
    return (await executor.query<{ snapshots: SnapshotRow[] | null }>(OF_DAY, [name, date]))[0];
  }

  /** The ranks in the weekly chart before a day, by id of the subject. */
  async weeklyRanksBefore(executor: SqlExecutor, date: string): Promise<Map<number, number>> {
    const rows = await executor.query<{ subject_id: number; rank: number }>(WEEKLY_BEFORE, [date]);
    return new Map(rows.map(({ subject_id, rank }) => [subject_id, rank]));
  }

  async delete(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(DELETE, [id]);
  }
}
