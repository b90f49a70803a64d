import { wireTime } from '../database/wire-time';
import { userJson } from '../users/users.resources';

/** SQL condition: a viewer is invited to event `e`. */
export const wasInvited = (viewer: string, e = 'e'): string =>
  `EXISTS (SELECT 1 FROM event_invitations i
     WHERE i.event_id = ${e}.id AND i.user_id = ${viewer}::bigint)`;

/**
 * SQL condition: a viewer may see event `e`. Soft-deleted events are invisible; private events are
 * visible to their owner and invited users. `viewer` is the parameter with the user's id, or null.
 */
export const eventVisibleSql = (viewer: string, e = 'e'): string =>
  `${e}.deleted_at IS NULL AND (NOT ${e}.private OR ${e}.owner_id = ${viewer}::bigint OR ${wasInvited(viewer, e)})`;

const epoch = (column: string): string => `extract(epoch FROM ${column})::float8`;

/** Columns of event `e` in city `c` with owner `o`, for `viewer`. */
export const eventColumns = (viewer: string): string => `
  e.id, e.title, e.content, e.image, e.image_hlarge, e.image_lmobile,
  ${wireTime('e.begins_at')} AS begin_time, ${wireTime('e.ends_at')} AS end_time,
  e.address, e.geo, e.lat, e.lon, e.city_id AS loc_id, c.name AS loc_name, e.album, e.category,
  e.participant_base + e.participants AS participant_count,
  e.wisher_base + e.wishers AS wisher_count, e.private, e.can_invite,
  ${wasInvited(viewer)} AS invited, ${epoch('e.begins_at')} AS begins,
  ${epoch('e.ends_at')} AS ends, ${epoch('e.updated_at')} AS updated, ${userJson('o')} AS owner`;

/** Tables of {@link eventColumns}, for a page `p` whose key is the event's id. */
export const EVENTS_OF_PAGE = `LEFT JOIN events e ON e.id = p.id LEFT JOIN cities c ON c.id = e.city_id
  LEFT JOIN users o ON o.id = e.owner_id`;

/** Tables of {@link eventColumns}. */
export const EVENT_TABLES = `events e JOIN cities c ON c.id = e.city_id
  JOIN users o ON o.id = e.owner_id`;

/** SQL condition: an event is not over (D39); `now` is the parameter with the time. */
export const notOver = (now: string): string => `(e.ends_at > ${now}::timestamptz)`;
