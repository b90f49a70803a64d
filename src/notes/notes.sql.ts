import { wireTime } from '../database/wire-time';
import { areFriends } from '../users/friendships';

/** SQL that says whether the user of parameter `me` may see note `n` (specification section 2.6). */
export const visibleTo = (me: string, n = 'n'): string =>
  `(${n}.privacy = 'public' OR coalesce(${n}.user_id = ${me}::bigint, false)
     OR (${n}.privacy = 'friend' AND ${areFriends(`${n}.user_id`, `${me}::bigint`)}))`;

/** Columns of a note, from the row named `n`. */
export const NOTE_COLUMNS = `
  n.id, n.title, n.content, n.privacy, n.can_reply, n.photos, n.recs_count,
  n.replies + n.replies_base AS comments_count, n.likes + n.likes_base AS liked_count,
  ${wireTime('n.published_at')} AS publish_time, ${wireTime('n.updated_at')} AS update_time`;
