import { wireTime } from '../database/wire-time';
import { areFriends } from '../users/friendships';

/**
 * SQL that says whether the user of parameter `me` may see note `n` (specification section 2.6); one
 * that is held until a moderator has looked is its author's alone.
 */
export const noteVisibleSql = (me: string, n = 'n'): string =>
  `(coalesce(${n}.user_id = ${me}::bigint, false)
     OR (NOT ${n}.held AND (${n}.privacy = 'public'
       OR (${n}.privacy = 'friend' AND ${areFriends(`${n}.user_id`, `${me}::bigint`)}))))`;

/** SQL that says whether the user of parameter `me` may see reply `r` to a note that they see. */
export const replyVisibleTo = (me: string, r = 'r'): string =>
  `(NOT ${r}.held OR ${r}.user_id = ${me}::bigint)`;

/** Columns of a note, from the row named `n`, as the user of parameter `me` sees it. */
export const noteColumns = (me: string): string => `
  n.id, n.title, n.content, n.privacy, n.held, n.can_reply, n.photos, n.recs_count,
  n.replies + n.replies_base + (SELECT count(*)::int FROM note_replies own
    WHERE own.note_id = n.id AND own.user_id = ${me}::bigint AND own.held) AS comments_count,
  n.likes + n.likes_base AS liked_count,
  ${wireTime('n.published_at')} AS publish_time, ${wireTime('n.updated_at')} AS update_time`;
