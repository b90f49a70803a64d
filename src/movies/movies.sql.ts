import { type Tier } from '../api/access/access';

/** The members that a statement loads: those of the basic tier, or all. */
export type Projection = 'basic' | 'full';

/** The basic tier sees fewer members of subjects and people (specification section 2.7). */
export const projectionOf = (tier: Tier): Projection => (tier === 'basic' ? 'basic' : 'full');

/** SQL condition: the subject `s` is neither a placeholder nor soft-deleted. */
export const subjectShown = (s = 's'): string => `(${s}.title <> '' AND ${s}.deleted_at IS NULL)`;

/** SQL condition: the celebrity `c` is neither a placeholder nor soft-deleted. */
export const celebrityShown = (c = 'c'): string => `(${c}.name <> '' AND ${c}.deleted_at IS NULL)`;

/** Columns of a simple subject, from the `subjects` row named `s`. */
export const simpleSubjectColumns = (projection: Projection, s = 's'): string => `
  ${s}.id::text AS id, ${s}.title, ${s}.original_title, ${s}.image_small, ${s}.image_medium,
  ${s}.image_large, ${s}.rating_average, ${s}.stars, ${s}.year, ${s}.subtype
  ${projection === 'full' ? `, array_to_json(${s}.pubdates) AS pubdates` : ''}`;

/** A simple subject as a JSON value. */
export const subjectJson = (projection: Projection, s = 's'): string =>
  `(SELECT row_to_json(subject) FROM (SELECT ${simpleSubjectColumns(projection, s)}) subject)`;

/** Columns of a simple celebrity, from the `celebrities` row named `c`. */
export const simpleCelebrityColumns = (c = 'c'): string =>
  `${c}.id::text AS id, ${c}.name, ${c}.avatar_small, ${c}.avatar_medium, ${c}.avatar_large`;

/**
 * The people in one role of the subject `s` as a JSON list in order. People without a celebrity
 * record, or with a soft-deleted one, only have a name (D34).
 */
export const peopleJson = (role: string, most: number | undefined, s = 's'): string => `
  coalesce((SELECT json_agg(json_build_object('id', c.id::text,
      'name', coalesce(n.name, k.name), 'avatar_small', c.avatar_small,
      'avatar_medium', c.avatar_medium, 'avatar_large', c.avatar_large)
      ORDER BY k.position, k.id)
    FROM (SELECT id, celebrity_id, name, position FROM credits
      WHERE subject_id = ${s}.id AND role = '${role}'
      ORDER BY position, id ${most === undefined ? '' : `LIMIT ${most}`}) k
    LEFT JOIN celebrities n ON n.id = k.celebrity_id
    LEFT JOIN celebrities c ON c.id = n.id AND c.deleted_at IS NULL), '[]'::json)`;

/** Members of a simple photo as JSON, from the `photos` row `n`. */
const SIMPLE_PHOTO = `json_build_object('id', n.id::text, 'celebrity_id', n.celebrity_id::text,
  'icon', n.icon, 'image', n.image, 'thumb', n.thumb, 'cover', n.cover)`;

/** Order of the photos of a subject or celebrity: newest first. */
export const PHOTO_ORDER = ['created_at DESC NULLS LAST', 'sort_order', 'id DESC'] as const;

/** The first photos of an owner as a JSON list; `column` contains the owner's id. */
export const firstPhotosJson = (column: string, owner: string, most: number): string => `
  coalesce((SELECT json_agg(${SIMPLE_PHOTO} ORDER BY ${PHOTO_ORDER.map((by) => `n.${by}`).join(', ')})
    FROM (SELECT * FROM photos WHERE ${column} = ${owner}
      ORDER BY ${PHOTO_ORDER.join(', ')} LIMIT ${most}) n), '[]'::json)`;

/** The subject of a list; parameter 3 has its id. */
export const SUBJECT_OF_LIST = `SELECT ${subjectJson('full')} AS parent, s.title AS name
  FROM subjects s WHERE s.id = $3 AND ${subjectShown()}`;

/** The celebrity of a list; parameter 3 has its id. */
export const CELEBRITY_OF_LIST = `SELECT (SELECT row_to_json(celebrity)
    FROM (SELECT ${simpleCelebrityColumns()}) celebrity) AS parent, c.name
  FROM celebrities c WHERE c.id = $3 AND ${celebrityShown()}`;
