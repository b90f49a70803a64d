import { listTotal, type LISTS } from '../database/list-counts';
import { paginated } from '../database/page-of';
import { inUserSpan } from './event-spans.sql';
import { type ParticipationKind } from './events.rows';
import { EVENTS_OF_PAGE, eventColumns } from './events.sql';

/** Filter for a user's events: ongoing, expired, or all. */
export type EventStatus = 'ongoing' | 'expired' | undefined;

/** Days of the periods of `participation_counts`. */
export const PERIOD_DAYS = 64;

const LIST_OF: Readonly<Record<ParticipationKind, keyof typeof LISTS>> = {
  participate: 'userParticipations',
  wish: 'userWishes',
};

const NOW = '$5::timestamptz';
/** The period in which now is. */
const PERIOD = `floor(extract(epoch FROM ${NOW}) / 86400 / ${PERIOD_DAYS})::integer`;
/** Past the end of the page, no event is needed. */
const PAGE_END = 'LIMIT ($1::bigint + $2::bigint)';
const COLUMNS = 'a.event_id AS id, a.begins_at';

/**
 * The first public events of the list, to the end of the page. Events that are not over are those
 * that have begun, from an index of spans, and then the others.
 */
function publicEvents(of: string, status: EventStatus): string {
  const first = (from: string, more = ''): string => `(
    SELECT ${COLUMNS} FROM ${from} WHERE ${of} AND a.event_visibility = 0 ${more}
    ORDER BY a.begins_at, a.event_id ${PAGE_END})`;
  if (status === undefined) return first('participations a');
  // An event that is over has begun.
  if (status === 'expired')
    return first('participations a', `AND a.begins_at <= ${NOW} AND a.ends_at <= ${NOW}`);
  // With `OFFSET 0`, PostgreSQL cannot use an index that has all past or future events of the user.
  const begun = `(SELECT * FROM participations a WHERE ${inUserSpan('$3::bigint', NOW, NOW)} OFFSET 0) a`;
  return `${first(begun, `AND a.begins_at <= ${NOW} AND a.ends_at > ${NOW}`)}
    UNION ALL ${first('participations a', `AND a.begins_at > ${NOW}`)}`;
}

/** The number of public events of the list. */
function publicTotal(of: string, kind: ParticipationKind, status: EventStatus): string {
  const all = `(${listTotal(LIST_OF[kind], '$3')})`;
  if (status === undefined) return all;
  const open = `(
    (SELECT coalesce(sum(k.events), 0) FROM participation_counts k
     WHERE k.user_id = $3 AND k.kind = '${kind}' AND k.period > ${PERIOD})
    + (SELECT count(*) FROM participations a WHERE ${of} AND a.event_visibility = 0 AND a.ends_at > ${NOW}
       AND a.ends_at < to_timestamp((${PERIOD} + 1) * ${PERIOD_DAYS} * 86400.0)))`;
  return status === 'ongoing' ? open : `${all} - ${open}`;
}

/**
 * SQL of the events that a user participates or is interested in. Its parameters are count, start,
 * the user, the viewer or null, and with a status the time. Indexes have the events of the page in
 * order, and counters the total. Private events are read from the user's, and from those that the
 * viewer owns or is invited to.
 */
export function participationsOfUser(kind: ParticipationKind, status: EventStatus): string {
  const of = `a.user_id = $3 AND a.kind = '${kind}'`;
  const open = `a.ends_at ${status === 'ongoing' ? '>' : '<='} ${NOW}`;
  return paginated({
    // With `IS TRUE`, PostgreSQL reads the viewer's events once, and not for each of the user's.
    ctes: `private_events AS MATERIALIZED (
      SELECT ${COLUMNS} FROM participations a
      WHERE ${of} AND a.event_visibility = 2 ${status === undefined ? '' : `AND ${open}`}
        AND (a.event_id IN (
          SELECT o.id FROM events o
          WHERE o.private AND o.deleted_at IS NULL AND o.owner_id = $4::bigint
          UNION ALL SELECT i.event_id FROM event_invitations i WHERE i.user_id = $4::bigint)) IS TRUE)`,
    hits: `SELECT id, begins_at FROM private_events UNION ALL ${publicEvents(of, status)}`,
    inOrder: true,
    total: `SELECT ${publicTotal(of, kind, status)} + (SELECT count(*) FROM private_events)`,
    key: 'id',
    order: ['begins_at', 'id'],
    columns: `${eventColumns('$4')}, EXISTS (SELECT 1 FROM users WHERE id = $3) AS user_exists`,
    joins: EVENTS_OF_PAGE,
    limit: ['$1', '$2'],
  });
}
