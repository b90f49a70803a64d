import { Injectable } from '@nestjs/common';
import {
  Database,
  statement,
  type SqlExecutor,
  type Statement,
  type TransactionHooks,
} from '../database/database';
import { type ComputedChart } from './chart-names';
import { subjectShown } from './movies.sql';

/** Constants of the rules in docs/charts.md. */
export const CHART_RULES = {
  /** Minimum number of ratings for an average. */
  leastRatings: 10,
  /** Number of ratings at the overall mean that damp each movie's average. */
  damping: 1000,
  topLength: 250,
  /** Days, including the chart's own, in which a movie is new. */
  newDays: 60,
  newLength: 20,
  weekDays: 7,
  /** Minimum number of users who rated a subject in the week. */
  weekLeast: 3,
  /** Number of ratings at the week's mean that damp each subject's average. */
  weekDamping: 5,
  weekLength: 10,
} as const;

const R = CHART_RULES;

// The shared lock of films, which import-export/engine/record-locks.ts defines: no film is merged
// into another one while a chart is computed.
const SHARE_SUBJECTS = statement(
  'charts.share_subjects',
  `SELECT pg_advisory_xact_lock_shared(hashtextextended('records:movie', 0))`,
);

// The row of the snapshot serializes computations of the same chart.
const SNAPSHOT_SET = `ON CONFLICT ON CONSTRAINT chart_snapshots_unique DO UPDATE
  SET period = '', computed = true, created_at = date_trunc('second', now())
  RETURNING id::text AS id`;
const SNAPSHOT = statement(
  'charts.snapshot',
  `INSERT INTO chart_snapshots (name, date, computed) VALUES ($1, $2::date, true) ${SNAPSHOT_SET}`,
);
// Ordered by city, so that concurrent computations cannot deadlock.
const CITY_SNAPSHOTS = statement(
  'charts.city_snapshots',
  `INSERT INTO chart_snapshots (name, city_id, date, computed)
   SELECT 'in_theaters', c.id, $1::date, true FROM cities c
   WHERE CASE WHEN $2::bigint IS NULL
     THEN EXISTS (SELECT 1 FROM showings s WHERE s.city_id = c.id) ELSE c.id = $2 END
   ORDER BY c.id ${SNAPSHOT_SET}`,
);
const EMPTY = statement(
  'charts.empty_snapshots',
  'DELETE FROM chart_entries WHERE snapshot_id = ANY($1::bigint[])',
);

// Rounded, because equal fractions of different terms may differ in the last digit.
const WEIGHTED = `rated AS (
    SELECT id, ratings_count, rating_average, mainland_pubdate FROM subjects
    WHERE subtype = 'movie' AND ${subjectShown('subjects')} AND rating_average > 0
      AND ratings_count >= ${R.leastRatings}
  ), weighted AS (
    SELECT id, ratings_count, mainland_pubdate, round(
      (ratings_count * rating_average + ${R.damping} * avg(rating_average) OVER ())
        / (ratings_count + ${R.damping}), 9) AS score
    FROM rated
  )`;
const BY_SCORE = 'row_number() OVER (ORDER BY score DESC, ratings_count DESC, id)';
const ENTRIES = 'INSERT INTO chart_entries (snapshot_id, rank, subject_id)';

const TOP250 = statement(
  'charts.top250',
  `WITH ${WEIGHTED}, ranked AS (SELECT id, ${BY_SCORE} AS rank FROM weighted)
   ${ENTRIES} SELECT $1::bigint, rank, id FROM ranked WHERE rank <= ${R.topLength}`,
);
// Dates are texts, and some are invalid, so they are compared bytewise as texts.
const NEW_MOVIES = statement(
  'charts.new_movies',
  `WITH ${WEIGHTED}, ranked AS (
     SELECT id, ${BY_SCORE} AS rank FROM weighted
     WHERE mainland_pubdate ~ '^\\d{4}-\\d\\d-\\d\\d$'
       AND mainland_pubdate COLLATE "C" > to_char($2::date - ${R.newDays}, 'YYYY-MM-DD')
       AND mainland_pubdate COLLATE "C" <= to_char($2::date, 'YYYY-MM-DD')
   )
   ${ENTRIES} SELECT $1::bigint, rank, id FROM ranked WHERE rank <= ${R.newLength}`,
);
// A month or year without a day is over when its last day is.
const COMING_SOON = statement(
  'charts.coming_soon',
  `WITH dated AS (
     SELECT id, (mainland_pubdate || substr('-99-99', length(mainland_pubdate) - 3))
       COLLATE "C" AS day
     FROM subjects
     WHERE subtype = 'movie' AND ${subjectShown('subjects')} AND mainland_pubdate <> ''
       AND mainland_pubdate ~ '^\\d{4}(-\\d\\d(-\\d\\d)?)?$'
   )
   ${ENTRIES} SELECT $1::bigint, row_number() OVER (ORDER BY day, id), id
   FROM dated WHERE day > to_char($2::date, 'YYYY-MM-DD')`,
);
const IN_THEATERS = statement(
  'charts.in_theaters',
  `WITH playing AS (
     SELECT DISTINCT c.id AS snapshot_id, s.subject_id
     FROM chart_snapshots c JOIN showings s ON s.city_id = c.city_id
       AND s.from_date <= c.date AND (s.until_date IS NULL OR s.until_date >= c.date)
     WHERE c.id = ANY($1::bigint[])
   )
   ${ENTRIES} SELECT p.snapshot_id, row_number() OVER (
       PARTITION BY p.snapshot_id
       ORDER BY s.collect_count::bigint + s.wish_count DESC, s.id
     ), s.id
   FROM playing p JOIN subjects s ON s.id = p.subject_id
   WHERE s.subtype = 'movie' AND ${subjectShown()}`,
);
// For a user who rated a subject twice, for example in a review and a comment, the later rating
// counts (D35).
const WEEKLY = statement(
  'charts.weekly',
  `WITH bounds AS (
     SELECT ($2::date - ${R.weekDays - 1})::timestamp AT TIME ZONE $3 AS since,
       ($2::date + 1)::timestamp AT TIME ZONE $3 AS before
   ), rated AS (
     SELECT DISTINCT ON (subject_id, user_id) subject_id, rating
     FROM (
       SELECT subject_id, user_id, rating, created_at, 1 AS form, id FROM movie_reviews
       UNION ALL
       SELECT subject_id, user_id, rating, created_at, 2 AS form, id FROM movie_comments
     ) w CROSS JOIN bounds b
     WHERE rating IS NOT NULL AND created_at >= b.since AND created_at < b.before
     ORDER BY subject_id, user_id, created_at DESC, form, id DESC
   ), mean AS (SELECT avg(rating) AS rating FROM rated), scored AS (
     SELECT a.subject_id, count(*) AS people, round(
       (sum(a.rating) + ${R.weekDamping} * m.rating) / (count(*) + ${R.weekDamping}), 9) AS score
     FROM rated a CROSS JOIN mean m JOIN subjects s ON s.id = a.subject_id AND ${subjectShown()}
     GROUP BY a.subject_id, m.rating HAVING count(*) >= ${R.weekLeast}
   ), ranked AS (
     SELECT subject_id, row_number() OVER (ORDER BY score DESC, people DESC, subject_id) AS rank
     FROM scored
   ), top AS (SELECT subject_id, rank FROM ranked WHERE rank <= ${R.weekLength}), earlier AS (
     SELECT subject_id, min(rank) AS rank FROM chart_entries
     WHERE snapshot_id = (SELECT id FROM chart_snapshots
       WHERE name = 'weekly' AND date < $2::date ORDER BY date DESC LIMIT 1)
     GROUP BY subject_id
   )
   INSERT INTO chart_entries (snapshot_id, rank, subject_id, delta)
   SELECT $1::bigint, t.rank, t.subject_id,
     coalesce(e.rank, count(*) OVER () + 1) - t.rank
   FROM top t LEFT JOIN earlier e ON e.subject_id = t.subject_id`,
);
const COUNT = statement(
  'charts.count_entries',
  'SELECT count(*)::int AS entries FROM chart_entries WHERE snapshot_id = ANY($1::bigint[])',
);

/** The chart, day and city to compute. */
export interface ChartOfDay {
  readonly name: ComputedChart;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** Id of a city, for movies in theaters; all cities with showings when absent. */
  readonly cityId?: number;
  /** IANA time zone in which days begin. */
  readonly timeZone: string;
}

/** The counts of a computation. */
export interface ComputedCounts {
  readonly snapshots: number;
  readonly entries: number;
}

@Injectable()
export class ChartsComputeRepository {
  constructor(private readonly database: Database) {}

  /** Computes a chart's snapshot of a day and replaces an existing one. */
  replace(chart: ChartOfDay, hooks?: TransactionHooks): Promise<ComputedCounts> {
    return this.database.transaction(async (executor) => {
      await executor.query(SHARE_SUBJECTS);
      const ids = await snapshots(executor, chart);
      await executor.query(EMPTY, [ids]);
      const [fill, values] = filling(chart, ids);
      await executor.query(fill, values);
      const [counted] = await executor.query<{ entries: number }>(COUNT, [ids]);
      return { snapshots: ids.length, entries: counted?.entries ?? 0 };
    }, hooks);
  }
}

async function snapshots(executor: SqlExecutor, chart: ChartOfDay): Promise<string[]> {
  const { name, date, cityId } = chart;
  const rows =
    name === 'in_theaters'
      ? await executor.query<{ id: string }>(CITY_SNAPSHOTS, [date, cityId ?? null])
      : await executor.query<{ id: string }>(SNAPSHOT, [name, date]);
  return rows.map(({ id }) => id);
}

function filling(chart: ChartOfDay, ids: readonly string[]): [Statement, unknown[]] {
  const { name, date, timeZone } = chart;
  const [id] = ids;
  switch (name) {
    case 'top250':
      return [TOP250, [id]];
    case 'new_movies':
      return [NEW_MOVIES, [id, date]];
    case 'coming_soon':
      return [COMING_SOON, [id, date]];
    case 'weekly':
      return [WEEKLY, [id, date, timeZone]];
    case 'in_theaters':
      return [IN_THEATERS, [ids]];
  }
}
