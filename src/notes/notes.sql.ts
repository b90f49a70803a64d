import { wireTime } from '../database/wire-time';
import { areFriends } from '../users/friendships';

/**
 * SQL condition: the user of parameter `me` may see note `n` (specification section 2.6). Friends
 * see friends-only notes. Only the author sees a hidden note.
 */
export const noteVisibleSql = (me: string, n = 'n'): string =>
  `(coalesce(${n}.user_id = ${me}::bigint, false)
     OR (NOT ${n}.hidden AND (${n}.privacy = 'public'
       OR (${n}.privacy = 'friend' AND ${areFriends(`${n}.user_id`, `${me}::bigint`)}))))`;

/**
 * SQL of who may see note `n`: 0 all users, 1 friends of the author, 2 the author, 3 nobody,
 * because it is a placeholder.
 */
export const noteVisibility = (n = 'n'): string =>
  `(CASE WHEN ${n}.placeholder THEN 3 WHEN ${n}.hidden OR ${n}.privacy = 'private' THEN 2
     WHEN ${n}.privacy = 'friend' THEN 1 ELSE 0 END)::smallint`;

/** SQL of the highest visibility (`list_counts`) of the notes of a user that `me` may see. */
export const highestVisibility = (author: string, me: string): string =>
  `CASE WHEN ${author}::bigint = ${me}::bigint THEN 2
     WHEN ${areFriends(`${author}::bigint`, `${me}::bigint`)} THEN 1 ELSE 0 END`;

/** SQL condition: the user of parameter `me` may see reply `r` of a visible note. */
export const replyVisibleSql = (me: string, r = 'r'): string =>
  `(NOT ${r}.hidden OR ${r}.user_id = ${me}::bigint)`;

/**
 * Columns of the note `n` for the user of parameter `me`.
 * @param content SQL of the content
 */
export const noteColumns = (me: string, content = 'n.content'): string => `
  n.id, n.title, ${content} AS content, n.privacy, n.hidden, n.can_reply, n.photos, n.recs_count,
  n.replies + n.replies_base + (SELECT count(*)::int FROM note_replies own
    WHERE own.note_id = n.id AND own.user_id = ${me}::bigint AND own.hidden) AS comments_count,
  n.likes + n.likes_base AS liked_count,
  ${wireTime('n.published_at')} AS publish_time, ${wireTime('n.updated_at')} AS update_time`;
