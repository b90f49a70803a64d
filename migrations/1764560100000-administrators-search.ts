import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Indexes for what administrators search and choose by. */
export class AdministratorsSearch1764560100000 implements MigrationInterface {
  name = 'AdministratorsSearch1764560100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(FUNCTIONS);
    for (const [name, sql] of INDEXES) await db.query(`CREATE INDEX ${name} ON ${sql}`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await db.query(`DROP INDEX ${name}`);
    await db.query('DROP FUNCTION text_pairs_of_part(text), text_pairs(text)');
  }
}

// Characters and pairs of them: what has a part of a text has all pairs of that part. pg_trgm is not
// on every server, and with the locale C it knows letters of ASCII alone. Of long texts the first
// thousand characters count.
const FUNCTIONS = `
CREATE FUNCTION text_pairs(text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  characters text[] := string_to_array(left(lower($1), 1000), NULL);
  pairs text[] := characters;
BEGIN
  FOR at IN 2 .. coalesce(array_length(characters, 1), 0) LOOP
    pairs := array_append(pairs, characters[at - 1] || characters[at]);
  END LOOP;
  RETURN pairs;
END $$;
CREATE FUNCTION text_pairs_of_part(text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  characters text[] := string_to_array(left(lower($1), 1000), NULL);
  pairs text[] := '{}';
BEGIN
  IF coalesce(array_length(characters, 1), 0) < 2 THEN RETURN coalesce(characters, '{}'); END IF;
  FOR at IN 2 .. array_length(characters, 1) LOOP
    pairs := array_append(pairs, characters[at - 1] || characters[at]);
  END LOOP;
  RETURN pairs;
END $$;
`;

// Books and films have search texts that are looked into first; what has none is in these indexes.
const INDEXES: readonly (readonly [name: string, sql: string])[] = [
  ['users_by_part', `users USING gin (text_pairs(uid || E'\\n' || name))`],
  ['users_blocked', 'users (id) WHERE blocked_at IS NOT NULL'],
  ['applications_by_part', 'applications USING gin (text_pairs(name))'],
  ['applications_blocked', 'applications (id) WHERE blocked_at IS NOT NULL'],
  [
    'application_decisions_asked',
    `application_decisions (application_id, subject, id) WHERE state = 'asked'`,
  ],
  ['series_by_part', 'series USING gin (text_pairs(title))'],
  ['celebrities_by_part', 'celebrities USING gin (text_pairs(name))'],
  ['events_by_part', 'events USING gin (text_pairs(title))'],
  ['photos_by_part', `photos USING gin (text_pairs(description)) WHERE description <> ''`],
  [
    'books_by_part',
    `books USING gin (text_pairs(title)) WHERE (kind <> 'book' OR stub) AND title <> ''`,
  ],
  ['subjects_by_part', 'subjects USING gin (text_pairs(title)) WHERE removed_at IS NOT NULL'],
  // Totals are counted in these, without looking at the rows.
  ['books_shown', 'books (id) WHERE NOT stub AND removed_at IS NULL'],
  ['subjects_shown', `subjects (id) WHERE title <> '' AND removed_at IS NULL`],
  ['celebrities_shown', `celebrities (id) WHERE name <> '' AND removed_at IS NULL`],
  ['events_shown', 'events (id) WHERE removed_at IS NULL'],
  ['books_unknown', 'books (id) WHERE stub AND removed_at IS NULL'],
  ['subjects_unknown', `subjects (id) WHERE title = '' AND removed_at IS NULL`],
  ['celebrities_unknown', `celebrities (id) WHERE name = '' AND removed_at IS NULL`],
  ['audit_log_by_action', 'audit_log (action, id DESC)'],
  ['audit_log_by_kind', 'audit_log (target_kind, id DESC)'],
  ['audit_log_by_target_id', 'audit_log (target_id, id DESC)'],
  ['transfer_jobs_by_state', 'transfer_jobs (state, id DESC)'],
  ['showings_by_subject', 'showings (subject_id, id DESC)'],
  ['chart_snapshots_by_date', 'chart_snapshots (date DESC, id DESC)'],
];
