import { inCitySpan } from './event-spans.sql';

/** The days of a `day_type`, relative to today or this week. */
export interface Days {
  /** A unit of `date_trunc`; its weeks begin on Monday. */
  readonly unit: 'day' | 'week';
  readonly from: number;
  /** The first day after the range. */
  readonly to: number;
}

/** The values of `day_type` (D39); `future`, like no value, is every event that is not over. */
export const DAY_TYPES: Readonly<Record<string, Days | undefined>> = {
  future: undefined,
  week: { unit: 'week', from: 0, to: 7 },
  weekend: { unit: 'week', from: 5, to: 7 },
  today: { unit: 'day', from: 0, to: 1 },
  tomorrow: { unit: 'day', from: 1, to: 2 },
};

/**
 * SQL for the first instant of a day in a time zone. Where midnight occurs twice because clocks are
 * set back, PostgreSQL returns the second one. Where midnight is skipped, it returns the next
 * instant, as required.
 */
const firstInstant = (midnight: string, zone: string): string =>
  `CASE WHEN ((${midnight} AT TIME ZONE ${zone}) - interval '1 hour') AT TIME ZONE ${zone} >= ${midnight}
     THEN (${midnight} AT TIME ZONE ${zone}) - interval '1 hour'
     ELSE ${midnight} AT TIME ZONE ${zone} END`;

/** Parameters of {@link zonesOf}. */
export interface DayParameters {
  readonly now: string;
  readonly unit: string;
  readonly from: string;
  readonly to: string;
}

/**
 * SQL for a table of the time zones of some cities with the start and end of the range there:
 * `time_zone`, `from_at`, `to_at`.
 */
export const zonesOf = (cities: string, days: DayParameters): string => `
  SELECT z.time_zone, ${firstInstant('d.first', 'z.time_zone')} AS from_at,
    ${firstInstant('d.last', 'z.time_zone')} AS to_at
  FROM (SELECT DISTINCT time_zone FROM ${cities}) z,
    LATERAL (SELECT date_trunc(${days.unit}::text,
      ${days.now}::timestamptz AT TIME ZONE z.time_zone) AS day) t,
    LATERAL (SELECT t.day + make_interval(days => ${days.from}::int) AS first,
      t.day + make_interval(days => ${days.to}::int) AS last) d`;

/**
 * SQL condition: event `e` overlaps the range of zone `z`; an event of several days is on each of
 * them.
 */
export const ON_DAYS = `e.begins_at < z.to_at
  AND (e.ends_at > z.from_at OR e.begins_at >= z.from_at)`;

/**
 * SQL of a subquery: the events in the span of all `zones` that are not deleted, in all cities or
 * one. With several zones, it has more events than {@link ON_DAYS}. `OFFSET 0` keeps PostgreSQL from
 * merging it into the statement and using another index.
 *
 * @param city SQL of the id of the city; without it, all cities
 */
export const eventsInSpan = (city?: string): string =>
  city === undefined
    ? `(SELECT * FROM events e WHERE e.deleted_at IS NULL
         AND tstzrange(e.begins_at, e.ends_at, '[]')
           && (SELECT tstzrange(min(from_at), max(to_at)) FROM zones) OFFSET 0)`
    : `(SELECT e.* FROM events e, (SELECT min(from_at) AS from_at, max(to_at) AS to_at FROM zones) s
       WHERE ${inCitySpan(city, 's.from_at', 's.to_at')} OFFSET 0)`;
