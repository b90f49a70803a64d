/** SQL for the seconds of a time since 1970. Indexes need this expression: it is immutable. */
const seconds = (time: string): string =>
  `extract(epoch FROM ${time} - '1970-01-01 00:00+00'::timestamptz)`;

/**
 * SQL for a box whose sides are the id of a record and a span of time, as the indexes
 * `events_by_city_span` and `participations_by_span` have it.
 */
const spanBox = (id: string, from: string, to: string): string =>
  `box(point(${id}, ${seconds(from)}), point(${id}, ${seconds(to)}))`;

/**
 * SQL condition: event `e` is not deleted, and overlaps a span of time in a city, its ends included.
 * PostgreSQL compares boxes with a tolerance of a microsecond, so the condition may match events
 * just outside of the span. It does not compare `city_id`: for that, PostgreSQL would use the index
 * of the city and read all its events.
 *
 * @param city SQL of the id of the city
 * @param from SQL of a time, as `to`
 */
export const inCitySpan = (city: string, from: string, to: string): string =>
  `e.deleted_at IS NULL
   AND ${spanBox('e.city_id', 'e.begins_at', 'e.ends_at')} && ${spanBox(city, from, to)}`;

/**
 * SQL condition: participation `a` of a user is in a public event that overlaps a span of time. Like
 * {@link inCitySpan}, it may match others, so that user and times must be compared as well.
 */
export const inUserSpan = (user: string, from: string, to: string): string =>
  `a.event_visibility = 0
   AND ${spanBox('a.user_id', 'a.begins_at', 'a.ends_at')} && ${spanBox(user, from, to)}`;
