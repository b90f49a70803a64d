import { statement, type SqlExecutor } from '../../database/database';
import { searchText } from '../../text/terms';

// Every change of a subject or its people locks the subject first, so that the search text includes
// concurrent changes.
export const LOCK_SUBJECTS = statement(
  'import_export.lock_subjects',
  'SELECT 1 FROM subjects WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

const TEXTS = statement(
  'import_export.subject_texts',
  `SELECT s.id::float8 AS id, s.title, s.original_title, array_to_json(s.aka) AS aka,
     coalesce((SELECT json_agg(json_build_array(coalesce(p.name, c.name), coalesce(p.name_en, ''))
         ORDER BY c.role, c.position, c.id)
       FROM credits c LEFT JOIN celebrities p ON p.id = c.celebrity_id
       WHERE c.subject_id = s.id AND c.role IN ('director', 'actor', 'writer')),
       '[]'::json) AS people
   FROM subjects s WHERE s.id = ANY($1::bigint[]) AND s.title <> ''
     AND s.deleted_at IS NULL ORDER BY s.id`,
);

/** Joins the terms with a character that cannot occur in text. */
const WRITE = statement(
  'import_export.write_subject_search',
  `INSERT INTO subject_search AS f (subject_id, title, body, terms, popularity)
   SELECT r.id, r.title, r.body, array_to_tsvector(string_to_array(r.terms, E'\\x01')),
     least(s.collect_count::bigint + s.wish_count + coalesce(s.do_count, 0), 2147483647)::integer
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS r(id, title, body, terms)
   JOIN subjects s ON s.id = r.id
   ON CONFLICT (subject_id) DO UPDATE SET title = EXCLUDED.title, body = EXCLUDED.body,
     terms = EXCLUDED.terms, popularity = EXCLUDED.popularity
   WHERE (f.title, f.body, f.popularity)
     IS DISTINCT FROM (EXCLUDED.title, EXCLUDED.body, EXCLUDED.popularity)`,
);

/** Merges the pending list into the index, because searches scan the pending list sequentially. */
export const SORT_SUBJECT_TERMS = statement(
  'import_export.sort_subject_terms',
  `SELECT gin_clean_pending_list('subject_search_terms'::regclass)`,
);

const CREDITED = statement(
  'import_export.subjects_of_people',
  `SELECT DISTINCT subject_id::float8 AS id FROM credits
   WHERE celebrity_id = ANY($1::bigint[]) AND role IN ('director', 'actor', 'writer')`,
);

interface TextRow {
  readonly id: number;
  readonly title: string;
  readonly original_title: string;
  readonly aka: readonly string[];
  readonly people: readonly (readonly [string, string])[];
}

/** Rebuilds the search texts of subjects: title, other titles and people (D28). */
export async function writeSubjectSearch(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  const uniqueIds = [...new Set(ids)];
  if (uniqueIds.length === 0) return;
  await executor.query(LOCK_SUBJECTS, [uniqueIds]);
  const rows = await executor.query<TextRow>(TEXTS, [uniqueIds]);
  if (rows.length === 0) return;
  const texts = rows.map(({ title, original_title, aka, people }) =>
    searchText(title, [original_title, ...aka, ...people.flat()]),
  );
  await executor.query(WRITE, [
    rows.map(({ id }) => id),
    texts.map(({ title }) => title),
    texts.map(({ body }) => body),
    texts.map(({ terms }) => terms.join('\u0001')),
  ]);
}

/** Rebuilds the search texts of the subjects in which celebrities are credited. */
export async function rebuildSearchOfCreditedSubjects(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await executor.query<{ id: number }>(CREDITED, [ids]);
  await writeSubjectSearch(
    executor,
    rows.map(({ id }) => id),
  );
}
