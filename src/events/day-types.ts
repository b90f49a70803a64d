/** Which days a `day_type` means, counted from the beginning of today or of this week. */
export interface Days {
  /** A unit of `date_trunc`; its weeks begin on Monday. */
  readonly unit: 'day' | 'week';
  readonly from: number;
  /** The first day that is not meant any more. */
  readonly to: number;
}

/** `day_type` (D39); `future` is every event that is not over, as it is without one. */
export const DAY_TYPES: Readonly<Record<string, Days | undefined>> = {
  future: undefined,
  week: { unit: 'week', from: 0, to: 7 },
  weekend: { unit: 'week', from: 5, to: 7 },
  today: { unit: 'day', from: 0, to: 1 },
  tomorrow: { unit: 'day', from: 1, to: 2 },
};

/**
 * SQL for the first instant of a day in a zone. Where midnight comes twice, as clocks are set back,
 * PostgreSQL takes the second one; where it is left out, it takes the instant that follows, as we do.
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
 * SQL for a table of every time zone among some cities, with when the days that are meant begin and
 * end there: `time_zone`, `from_at`, `to_at`.
 */
export const zonesOf = (cities: string, days: DayParameters): string => `
  SELECT z.time_zone, ${firstInstant('d.first', 'z.time_zone')} AS from_at,
    ${firstInstant('d.last', 'z.time_zone')} AS to_at
  FROM (SELECT DISTINCT time_zone FROM ${cities}) z,
    LATERAL (SELECT date_trunc(${days.unit}::text,
      ${days.now}::timestamptz AT TIME ZONE z.time_zone) AS day) t,
    LATERAL (SELECT t.day + make_interval(days => ${days.from}::int) AS first,
      t.day + make_interval(days => ${days.to}::int) AS last) d`;

/** Whether event `e` touches the days of zone `z`: one that lasts several days is on each. */
export const ON_DAYS = `e.begins_at < z.to_at
  AND (e.ends_at > z.from_at OR e.begins_at >= z.from_at)`;
