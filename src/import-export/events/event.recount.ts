import { statement, type Database, type SqlExecutor } from '../../database/database';
import { checkCounters } from '../engine/counter-check';

// Compares the expected counters of all events with the stored ones.
const DRIFT = statement(
  'import_export.event_drift',
  `WITH counted AS (
     SELECT event_id, count(*) FILTER (WHERE kind = 'participate')::int AS participants,
       count(*) FILTER (WHERE kind = 'wish')::int AS wishers
     FROM participations GROUP BY event_id),
   both_ways AS (
     SELECT e.id, e.participants, e.wishers, coalesce(c.participants, 0) AS right_participants,
       coalesce(c.wishers, 0) AS right_wishers
     FROM events e LEFT JOIN counted c ON c.event_id = e.id)
   SELECT id::float8 AS event_id, 'participants' AS what, participants::float8 AS stored,
     right_participants::float8 AS counted
   FROM both_ways WHERE participants <> right_participants
   UNION ALL
   SELECT id::float8, 'wishers', wishers::float8, right_wishers::float8
   FROM both_ways WHERE wishers <> right_wishers
   ORDER BY 1, 2`,
);

const LOCK = statement(
  'import_export.lock_drifted_events',
  'SELECT 1 FROM events WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

const MEND = statement(
  'import_export.recount_events',
  `UPDATE events e SET participants = r.participants, wishers = r.wishers
   FROM (SELECT i.id, count(a.id) FILTER (WHERE a.kind = 'participate')::int AS participants,
           count(a.id) FILTER (WHERE a.kind = 'wish')::int AS wishers
         FROM unnest($1::bigint[]) AS i(id) LEFT JOIN participations a ON a.event_id = i.id
         GROUP BY i.id) r
   WHERE e.id = r.id AND (e.participants, e.wishers) IS DISTINCT FROM (r.participants, r.wishers)`,
);

/** An event counter that differs from the number of participations. */
export interface EventDrift {
  readonly event_id: number;
  readonly what: 'participants' | 'wishers';
  readonly stored: number;
  readonly counted: number;
}

async function recountEvents(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
  await executor.query(LOCK, [ids]);
  await executor.query(MEND, [ids]);
}

/**
 * Compares the counters of events with their participations, and repairs differences on request.
 * @returns the differences
 */
export const checkEvents = (
  database: Database,
  options: { repair: boolean },
): Promise<EventDrift[]> =>
  checkCounters<EventDrift>(
    database,
    { drift: DRIFT, idOf: ({ event_id }) => event_id, recount: recountEvents },
    options,
  );

const COPIED = `(a.begins_at, a.ends_at, a.event_visibility) IS DISTINCT FROM (e.begins_at, e.ends_at,
  (CASE WHEN e.deleted_at IS NOT NULL THEN 3 WHEN e.private THEN 2 ELSE 0 END)::smallint)`;

const COPY_DRIFT = statement(
  'import_export.participation_drift',
  `SELECT e.id::float8 AS event_id, 'copies in participations' AS what,
     count(*) FILTER (WHERE NOT d.differs)::int AS stored, count(*)::int AS counted
   FROM participations a JOIN events e ON e.id = a.event_id
   CROSS JOIN LATERAL (SELECT ${COPIED} AS differs) d
   GROUP BY e.id HAVING bool_or(d.differs) ORDER BY e.id`,
);

// A trigger copies the values of the event, which is locked.
const COPY = statement(
  'import_export.copy_events_to_participations',
  `UPDATE participations a SET event_id = a.event_id FROM events e
   WHERE a.event_id = ANY($1::bigint[]) AND e.id = a.event_id AND ${COPIED}`,
);

/** An event whose times or visibility differ in some participations. */
export interface ParticipationDrift {
  readonly event_id: number;
  readonly what: string;
  /** Number of participations with the values of the event. */
  readonly stored: number;
  readonly counted: number;
}

/**
 * Compares the times and the visibility of events with the copies in their participations, and
 * repairs differences on request.
 * @returns the differences
 */
export const checkParticipations = (
  database: Database,
  options: { repair: boolean },
): Promise<ParticipationDrift[]> =>
  checkCounters<ParticipationDrift>(
    database,
    {
      drift: COPY_DRIFT,
      idOf: ({ event_id }) => event_id,
      recount: async (executor, ids) => {
        await executor.query(LOCK, [ids]);
        await executor.query(COPY, [ids]);
      },
    },
    options,
  );
