import { countCheck, type CountDrift } from '../database/count-check';
import { statement } from '../database/database';
import { PERIOD_DAYS } from './participation-lists.sql';

const KEY = 'user_id, kind, period';

const DRIFT_ROWS = `
  SELECT ${KEY}, coalesce(s.events, 0)::int AS stored, coalesce(c.events, 0)::int AS counted
  FROM (SELECT ${KEY}, sum(events) AS events FROM participation_counts GROUP BY ${KEY}) s
  FULL JOIN (SELECT user_id, kind,
      floor(extract(epoch FROM ends_at) / 86400 / ${PERIOD_DAYS})::integer AS period, count(*) AS events
    FROM participations WHERE event_visibility = 0 GROUP BY 1, 2, 3) c USING (${KEY})
  WHERE coalesce(s.events, 0) <> coalesce(c.events, 0)`;

const DRIFT = statement(
  'participation_counts.drift',
  `SELECT user_id::float8 AS user_id, kind || ' by end' AS what, sum(stored)::int AS stored,
     sum(counted)::int AS counted
   FROM (${DRIFT_ROWS}) d GROUP BY user_id, kind ORDER BY user_id, kind`,
);

const REPAIR = statement(
  'participation_counts.repair',
  `INSERT INTO participation_counts (${KEY}, events)
   SELECT ${KEY}, counted - stored FROM (${DRIFT_ROWS}) d`,
);

/** A user whose stored numbers of participations differ from the rows, all periods together. */
export interface ParticipationCountDrift extends CountDrift {
  readonly user_id: number;
}

/** Compares the numbers of participations in events that end in each period with the rows. */
export const checkParticipationCounts = countCheck<ParticipationCountDrift>(DRIFT, REPAIR);
