import { countCheck, type CountDrift } from '../database/count-check';
import { statement } from '../database/database';

const KEY = 'city_id, days, period, type';

const DRIFT_ROWS = `
  SELECT ${KEY}, coalesce(s.events, 0)::int AS stored, coalesce(c.events, 0)::int AS counted
  FROM (SELECT ${KEY}, sum(events) AS events FROM event_counts GROUP BY ${KEY}) s
  FULL JOIN (SELECT p.city_id, d.days,
      floor(extract(epoch FROM e.ends_at) / 86400 / d.days)::integer AS period, e.type,
      count(*) AS events
    FROM events e CROSS JOIN LATERAL (VALUES (0::bigint), (e.city_id)) p(city_id)
    CROSS JOIN (VALUES (1::smallint), (64::smallint)) d(days)
    WHERE NOT e.private AND e.deleted_at IS NULL GROUP BY 1, 2, 3, 4) c USING (${KEY})
  WHERE coalesce(s.events, 0) <> coalesce(c.events, 0)`;

const DRIFT = statement(
  'event_counts.drift',
  `SELECT city_id::float8 AS city_id, days || ' days ' || period AS what, sum(stored)::int AS stored,
     sum(counted)::int AS counted
   FROM (${DRIFT_ROWS}) d GROUP BY city_id, days, period ORDER BY city_id, days, period`,
);

const REPAIR = statement(
  'event_counts.repair',
  `INSERT INTO event_counts (${KEY}, events) SELECT ${KEY}, counted - stored FROM (${DRIFT_ROWS}) d`,
);

/** A city (0 for all) and a period whose stored number of events differs from the rows. */
export interface EventCountDrift extends CountDrift {
  readonly city_id: number;
}

/** Compares the numbers of events that end in each period with the rows. */
export const checkEventCounts = countCheck<EventCountDrift>(DRIFT, REPAIR);
