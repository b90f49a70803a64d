import { statement } from '../../database/database';

const COLUMNS = `c.name, c.date::text AS date, c.city_id::float8 AS city_id, t.name AS city_name,
  c.period, c.computed,
  coalesce((SELECT json_agg(json_build_object('rank', e.rank, 'subject_id', e.subject_id,
      'box', e.box, 'new', e.new, 'delta', e.delta) ORDER BY e.rank)
    FROM chart_entries e WHERE e.snapshot_id = c.id), '[]'::json) AS entries`;

export const LOAD = statement(
  'import_export.charts',
  `SELECT ${COLUMNS} FROM unnest($1::text[], $2::bigint[], $3::date[]) AS r(name, city_id, date)
   JOIN chart_snapshots c ON c.name = r.name AND c.city_id IS NOT DISTINCT FROM r.city_id
     AND c.date = r.date
   LEFT JOIN cities t ON t.id = c.city_id`,
);

/** Reads the charts of complete days; the id is the day number. */
export const AFTER = statement(
  'import_export.charts_after',
  `WITH page AS (SELECT DISTINCT date FROM chart_snapshots
     WHERE date - '0001-01-01'::date > $1 ORDER BY date LIMIT least($2, 10))
   SELECT (c.date - '0001-01-01'::date) AS day, ${COLUMNS}
   FROM page JOIN chart_snapshots c USING (date) LEFT JOIN cities t ON t.id = c.city_id
   ORDER BY c.date, c.name COLLATE "C", c.city_id`,
);

export const COUNT = statement(
  'import_export.count_charts',
  'SELECT count(*)::float8 AS n FROM chart_snapshots',
);

export const TODAY = statement('import_export.today', 'SELECT current_date::text AS today');

/** Finds cities by id, uid or name; the lowest id wins when cities share a name. */
export const CITIES = statement(
  'import_export.cities_of_charts',
  `SELECT DISTINCT ON (r.city) r.city, c.id::float8 AS id, c.name
   FROM unnest($1::text[]) AS r(city)
   JOIN cities c ON c.deleted_at IS NULL
     AND (c.id::text = r.city OR c.uid = r.city OR c.name = r.city)
   ORDER BY r.city, (c.id::text = r.city) DESC, (c.uid = r.city) DESC, c.placeholder, c.id`,
);

export const WRITE_SNAPSHOTS = statement(
  'import_export.write_charts',
  `INSERT INTO chart_snapshots (name, city_id, date, period, computed)
   SELECT r.name, r.city_id, r.date, r.period, r.computed
   FROM json_to_recordset($1::json) AS r(name text, city_id bigint, date date, period text,
     computed boolean)
   ORDER BY r.name, r.city_id, r.date
   ON CONFLICT (name, city_id, date) DO UPDATE SET period = EXCLUDED.period,
     computed = EXCLUDED.computed
   RETURNING id::float8 AS id, name, city_id::float8 AS city_id, date::text AS date`,
);

export const REMOVE_ENTRIES = statement(
  'import_export.remove_chart_entries',
  'DELETE FROM chart_entries WHERE snapshot_id = ANY($1::bigint[])',
);

export const WRITE_ENTRIES = statement(
  'import_export.write_chart_entries',
  `INSERT INTO chart_entries (snapshot_id, rank, subject_id, box, new, delta)
   SELECT r.snapshot_id, r.rank, r.subject_id, r.box, r.new, r.delta
   FROM json_to_recordset($1::json) AS r(snapshot_id bigint, rank integer, subject_id bigint,
     box bigint, new boolean, delta integer)
   ORDER BY r.snapshot_id, r.rank`,
);

/** An arbitrary lock number that no other lock uses: "char" in ASCII. */
const CHART_LOCK = 0x63686172;

/** Held until the transaction ends: concurrent pages of a chart must not overwrite each other. */
export const LOCK_CHARTS = statement(
  'import_export.lock_charts',
  `SELECT pg_advisory_xact_lock(${CHART_LOCK})`,
);
