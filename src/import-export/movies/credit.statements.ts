import { statement } from '../../database/database';
import { NO_SORT_ORDER } from '../engine/record';

const COLUMNS = `c.subject_id::float8 AS subject_id, c.celebrity_id::float8 AS celebrity_id, c.name,
  c.role, c.position, c.role_sort_order, c.work_sort_order, c.featured_sort_order`;

export const LOAD = statement(
  'import_export.credits',
  `SELECT ${COLUMNS} FROM unnest($1::bigint[], $2::bigint[], $3::text[])
     AS r(subject_id, celebrity_id, name)
   JOIN credits c ON c.subject_id = r.subject_id
     AND c.celebrity_id IS NOT DISTINCT FROM r.celebrity_id AND c.name = r.name`,
);

/** Reads the credits of a few subjects at a time, with all credits of each. */
export const AFTER = statement(
  'import_export.credits_after',
  `WITH page AS (
     SELECT id FROM subjects s WHERE id > $1 AND EXISTS (
       SELECT 1 FROM credits c WHERE c.subject_id = s.id) ORDER BY id LIMIT $2)
   SELECT ${COLUMNS} FROM page JOIN credits c ON c.subject_id = page.id
   ORDER BY c.subject_id, c.celebrity_id NULLS LAST, c.name COLLATE "C"`,
);

/** Number of credit records: the roles of a person in a film are one record. */
export const COUNT = statement(
  'import_export.count_credits',
  `SELECT count(*)::float8 AS n
   FROM (SELECT DISTINCT subject_id, celebrity_id, name FROM credits) c`,
);

/** The people in the lists of subjects, in order. */
export const LISTED = statement(
  'import_export.listed_credits',
  `SELECT ${COLUMNS} FROM credits c
   WHERE c.subject_id = ANY($1::bigint[]) AND c.role IN ('director', 'actor', 'writer')
     AND c.position < ${NO_SORT_ORDER}
   ORDER BY c.subject_id, c.role, c.position, c.id`,
);

/** The featured works of celebrities. */
export const FEATURED = statement(
  'import_export.featured_credits',
  `SELECT ${COLUMNS} FROM credits c
   WHERE c.celebrity_id = ANY($1::bigint[]) AND c.featured_sort_order < ${NO_SORT_ORDER}`,
);

export const WRITE = statement(
  'import_export.write_credits',
  `INSERT INTO credits AS c
     (subject_id, celebrity_id, name, role, position, role_sort_order, work_sort_order, featured_sort_order)
   SELECT r.subject_id, r.celebrity_id, r.name, r.role, r.position, r.role_sort_order, r.work_sort_order,
     r.featured_sort_order
   FROM json_to_recordset($1::json) AS r(subject_id bigint, celebrity_id bigint, name text,
     role text, position smallint, role_sort_order smallint, work_sort_order smallint,
     featured_sort_order smallint)
   ORDER BY r.subject_id, r.role, r.position, r.celebrity_id, r.name
   ON CONFLICT (subject_id, role, celebrity_id, name) DO UPDATE SET position = EXCLUDED.position,
     role_sort_order = EXCLUDED.role_sort_order, work_sort_order = EXCLUDED.work_sort_order,
     featured_sort_order = EXCLUDED.featured_sort_order`,
);

/** Removes credits by name once the person is credited with a celebrity record. */
export const FORGET_NAMES = statement(
  'import_export.forget_credited_names',
  `DELETE FROM credits n USING unnest($1::bigint[], $2::bigint[]) AS r(subject_id, celebrity_id),
     celebrities p
   WHERE p.id = r.celebrity_id AND n.subject_id = r.subject_id AND n.celebrity_id IS NULL
     AND n.name = p.name AND EXISTS (SELECT 1 FROM credits c WHERE c.subject_id = n.subject_id
       AND c.role = n.role AND c.celebrity_id = p.id)`,
);

/** Subjects and celebrities that are placeholders. */
export const UNKNOWN_SUBJECTS = statement(
  'import_export.unknown_subjects',
  `INSERT INTO subjects (id, placeholder) SELECT DISTINCT r.id, true FROM unnest($1::bigint[]) AS r(id)
   WHERE NOT EXISTS (SELECT 1 FROM subjects s WHERE s.id = r.id) ORDER BY 1
   ON CONFLICT (id) DO NOTHING`,
);
export const UNKNOWN_CELEBRITIES = statement(
  'import_export.unknown_celebrities',
  `INSERT INTO celebrities (id, placeholder) SELECT DISTINCT r.id, true FROM unnest($1::bigint[]) AS r(id)
   WHERE NOT EXISTS (SELECT 1 FROM celebrities p WHERE p.id = r.id) ORDER BY 1
   ON CONFLICT (id) DO NOTHING`,
);
