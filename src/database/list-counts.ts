import { countCheck, logChangeSql, type CountDrift } from './count-check';
import { statement } from './database';

/** Lists whose elements `list_counts` counts, with the number of each. */
export const LISTS = {
  bookAnnotations: 1,
  userAnnotations: 2,
  userNotes: 3,
  userEvents: 4,
  noteReplies: 5,
  movieComments: 6,
  movieReviews: 7,
  moviePhotos: 8,
  celebrityPhotos: 9,
  userParticipations: 10,
  userWishes: 11,
  userLikedNotes: 12,
} as const;

/**
 * SQL of the number of elements of a list, for {@link paginated}.
 * @param record SQL of the id of the list's user, book, film or note
 * @param visibility SQL of the highest visibility of elements that are counted
 */
export const listTotal = (list: keyof typeof LISTS, record: string, visibility = '0'): string =>
  `SELECT coalesce(sum(k.elements), 0) FROM list_counts k
   WHERE k.record_id = ${record} AND k.list = ${LISTS[list]} AND k.visibility <= ${visibility}`;

const KEY = 'record_id, list, visibility';
const AUTHOR_ONLY = 'CASE WHEN private OR hidden THEN 2 ELSE 0 END';

/** The rows of each list: the record, and the visibility, which is null for rows in no list. */
const ROWS: Record<keyof typeof LISTS, string> = {
  bookAnnotations: `SELECT book_id, ${AUTHOR_ONLY} FROM annotations`,
  userAnnotations: `SELECT user_id, ${AUTHOR_ONLY} FROM annotations`,
  userNotes: `SELECT user_id, CASE WHEN placeholder THEN NULL
      WHEN hidden OR privacy = 'private' THEN 2 WHEN privacy = 'friend' THEN 1 ELSE 0 END
    FROM notes`,
  userEvents: `SELECT owner_id, CASE WHEN deleted_at IS NOT NULL THEN NULL WHEN private THEN 2 ELSE 0 END
    FROM events`,
  noteReplies: 'SELECT note_id, CASE WHEN hidden THEN 2 ELSE 0 END FROM note_replies',
  movieComments: 'SELECT subject_id, 0 FROM movie_comments',
  movieReviews: 'SELECT subject_id, 0 FROM movie_reviews',
  moviePhotos: 'SELECT subject_id, 0 FROM photos',
  celebrityPhotos: 'SELECT celebrity_id, 0 FROM photos',
  // Those in private events are read from an index.
  userParticipations: `SELECT user_id, 0 FROM participations
    WHERE kind = 'participate' AND event_visibility = 0`,
  userWishes: `SELECT user_id, 0 FROM participations WHERE kind = 'wish' AND event_visibility = 0`,
  // By the visibility of the likes, which that of a note with many likes can differ from.
  userLikedNotes: 'SELECT user_id, 0 FROM note_likes WHERE note_visibility = 0',
};

const NAMES = Object.entries(LISTS).map(([name, list]) => `WHEN ${list} THEN '${name}'`);

const COUNTED = Object.entries(ROWS).map(
  ([list, rows]) => `
    SELECT record_id, ${LISTS[list as keyof typeof LISTS]}::smallint AS list,
      visibility::smallint AS visibility, count(*) AS elements
    FROM (${rows}) r(record_id, visibility)
    WHERE record_id IS NOT NULL AND visibility IS NOT NULL GROUP BY record_id, visibility`,
);

const DRIFT_ROWS = `
  SELECT ${KEY}, coalesce(s.elements, 0)::int AS stored, coalesce(c.elements, 0)::int AS counted
  FROM (SELECT ${KEY}, sum(elements) AS elements FROM list_counts GROUP BY ${KEY}) s
  FULL JOIN (${COUNTED.join(' UNION ALL ')}) c USING (${KEY})
  WHERE coalesce(s.elements, 0) <> coalesce(c.elements, 0)`;

const DRIFT = statement(
  'list_counts.drift',
  `SELECT record_id::float8 AS record_id, CASE list ${NAMES.join(' ')} ELSE list::text END AS what,
     sum(stored)::int AS stored, sum(counted)::int AS counted
   FROM (${DRIFT_ROWS}) d GROUP BY record_id, list ORDER BY list, record_id`,
);

const REPAIR = statement(
  'list_counts.repair',
  `WITH repaired AS (INSERT INTO list_counts (${KEY}, elements)
     SELECT ${KEY}, counted - stored FROM (${DRIFT_ROWS}) d RETURNING 1)
   ${logChangeSql('texts', 'movies')}`,
);

/** A list whose stored number of elements differs from the rows. */
export interface ListCountDrift extends CountDrift {
  readonly record_id: number;
}

/** Compares the numbers of elements of lists with the rows. */
export const checkListCounts = countCheck<ListCountDrift>(DRIFT, REPAIR);
