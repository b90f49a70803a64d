import { listTotal } from '../database/list-counts';
import { paginated } from '../database/page-of';
import { longTextsOf } from '../text/long-texts';
import { userJson } from '../users/users.resources';
import { noteColumns, noteVisibleSql } from './notes.sql';

const LIKER = '(SELECT id FROM liker)';
/** SQL of the user's likes with the visibility of their note. */
const likes = (where: string): string =>
  `SELECT l.note_id AS id, l.created_at AS liked_at FROM note_likes l
   WHERE l.user_id = ${LIKER} AND ${where} AND l.note_id NOT IN (SELECT id FROM differing)`;

/**
 * SQL of the notes that a user likes, with the user. Its parameters are count, start, the uid, the
 * viewer, the user's id instead of the uid, which does not consist of digits, and the maximum bytes of
 * texts. An index has the public notes in order, and a counter their number. Others are read by their
 * authors: the viewer and friends. The likes of a few popular notes have another visibility than the note
 * (`outdated_likes_visibility`); these notes are looked up.
 */
export const LIKED_BY_USER = paginated({
  // With a comparison of rows and `OFFSET 0`, PostgreSQL looks up the like of a differing note by its
  // key. Otherwise it may read all likes of the user in an index instead, once its pages are visible.
  ctes: `liker AS MATERIALIZED (SELECT id FROM users WHERE uid = $3 OR id = $5),
    differing AS MATERIALIZED (
      SELECT n.id, l.created_at AS liked_at, l.note_visibility,
        NOT n.placeholder AND ${noteVisibleSql('$4')} AS visible
      FROM notes n CROSS JOIN LATERAL (
        SELECT * FROM note_likes l
        WHERE (l.note_id, l.user_id) >= (n.id, ${LIKER})
          AND (l.note_id, l.user_id) <= (n.id, ${LIKER}) OFFSET 0) l
      WHERE n.outdated_likes_visibility IS NOT NULL),
    restricted AS MATERIALIZED (
      ${likes('l.note_visibility = 2 AND l.note_author_id = $4::bigint')}
      UNION ALL
      ${likes(`l.note_visibility = 1 AND l.note_author_id = ANY (ARRAY(
        SELECT $4::bigint
        UNION ALL SELECT f.friend_id FROM friendships f WHERE f.user_id = $4::bigint
        UNION ALL SELECT f.user_id FROM friendships f WHERE f.friend_id = $4::bigint))`)})`,
  hits: `SELECT id, liked_at FROM restricted
    UNION ALL SELECT id, liked_at FROM differing WHERE visible
    UNION ALL (${likes('l.note_visibility = 0')}
      ORDER BY l.created_at DESC, l.note_id DESC LIMIT ($1::bigint + $2::bigint))`,
  inOrder: true,
  total: `SELECT (${listTotal('userLikedNotes', LIKER)}) + (SELECT count(*) FROM restricted)
    + (SELECT count(*) FILTER (WHERE visible) - count(*) FILTER (WHERE note_visibility = 0)
       FROM differing)`,
  longTexts: longTextsOf('notes', '$6'),
  key: 'id',
  order: ['liked_at DESC', 'id DESC'],
  columns: `${noteColumns('$4')},
    (SELECT ${userJson('u')} FROM users u WHERE u.id = ${LIKER}) AS author`,
  joins: 'LEFT JOIN notes n ON n.id = p.id',
  limit: ['$1', '$2'],
});
