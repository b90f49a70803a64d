import { inCitySpan } from './event-spans.sql';
import { eventVisibleSql, notOver } from './events.sql';

/** Days of the longer periods of `event_counts`. */
const LONG_PERIOD = 64;

/**
 * SQL for the number of public events that end after a day (UTC), the sum of `event_counts`.
 *
 * @param city SQL of the id of a city, 0 for all cities
 * @param day SQL of the number of the day since 1970
 * @param type SQL condition on the type of the row `e`
 */
export function eventsAfter(city: string, day: string, type = 'true'): string {
  const sum = (days: number, periods: string): string => `
    (SELECT coalesce(sum(e.events), 0) FROM event_counts e
     WHERE e.city_id = ${city} AND e.days = ${days} AND ${periods} AND ${type})`;
  return `(${sum(LONG_PERIOD, `e.period > ${day} / ${LONG_PERIOD}`)}
    + ${sum(1, `e.period > ${day} AND e.period < (${day} / ${LONG_PERIOD} + 1) * ${LONG_PERIOD}`)})`;
}

/**
 * The tables `total` and `page` of events that are not over, in all cities or one. Those that have
 * begun come from an index of time spans, the others in order from the index by begin time, which
 * is read up to the end of the page. The public events that end after today (UTC) are the sum of
 * `event_counts`; the others are counted.
 *
 * @param of the SQL parameter of a name: `now`, `viewer`, `type`, `count`, `start`, and `city`
 */
export function openEvents(of: (name: string) => string, inCity: boolean): string {
  const now = `${of('now')}::timestamptz`;
  const city = inCity ? `AND e.city_id = ${of('city')}::bigint` : '';
  const type = `(${of('type')}::smallint IS NULL OR e.type = ${of('type')})`;
  const shown = `${notOver(of('now'))} AND ${type} ${city}`;
  const visible = `${eventVisibleSql(of('viewer'))} AND ${shown}`;
  // With `OFFSET 0`, PostgreSQL cannot use an index that has all past events of the city.
  const begun = inCity
    ? `(SELECT * FROM events e WHERE ${inCitySpan(`${of('city')}::bigint`, now, now)} OFFSET 0)`
    : `(SELECT * FROM events e WHERE tstzrange(e.begins_at, e.ends_at, '[]') @> ${now})`;
  const counted = eventsAfter(inCity ? `${of('city')}::bigint` : '0', 'd.day', type);
  return `
    ongoing AS MATERIALIZED (
      SELECT e.id, e.begins_at FROM ${begun} e WHERE e.begins_at <= ${now} AND ${visible}),
    page AS (
      SELECT id, begins_at FROM (
        (SELECT id, begins_at FROM ongoing ORDER BY begins_at, id)
        UNION ALL
        (SELECT e.id, e.begins_at FROM events e WHERE e.begins_at > ${now} AND ${visible}
         ORDER BY e.begins_at, e.id)) hits
      ORDER BY begins_at, id LIMIT ${of('count')} OFFSET ${of('start')}),
    total AS (
      SELECT ${counted}
        + (SELECT count(*) FROM events e
           WHERE e.ends_at < to_timestamp((d.day + 1) * 86400.0) AND NOT e.private
             AND e.deleted_at IS NULL AND ${shown})
        + (SELECT count(*) FROM events e WHERE e.private AND e.deleted_at IS NULL AND ${shown}
             AND e.id IN (
               SELECT o.id FROM events o
               WHERE o.private AND o.deleted_at IS NULL AND o.owner_id = ${of('viewer')}::bigint
               UNION SELECT i.event_id FROM event_invitations i
               WHERE i.user_id = ${of('viewer')}::bigint)) AS total
      FROM (SELECT floor(extract(epoch FROM ${now}) / 86400)::integer AS day) d)`;
}
