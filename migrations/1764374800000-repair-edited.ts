import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Brings a schema of any earlier state to the one that a new database has. Six migrations were
 * edited after databases could have applied them: books (twice), authorization, limits, movies, notes
 * and administration. Each step does nothing where the schema is right already.
 *
 * Its timestamp is next to the last edited state, so that later migrations find one schema.
 */
export class RepairEdited1764374800000 implements MigrationInterface {
  name = 'RepairEdited1764374800000';

  async up(db: QueryRunner): Promise<void> {
    for (const step of [BOOK_TAGS, BOOK_SEARCH, UIDS, GRANTS, FRIENDSHIPS, NOTES, MOVIE_REVIEWS]) {
      await db.query(step);
    }
    await db.query(REMOVABLE);
    await db.query(REPORTS);
  }

  /** The schema before is the same on a new database: nothing is undone. */
  async down(): Promise<void> {}
}

/** SQL that is run where `condition` holds. */
const where = (condition: string, sql: string): string => `
DO $$
BEGIN
  IF ${condition} THEN
    ${sql}
  END IF;
END $$`;

const hasColumn = (table: string, column: string): string =>
  `EXISTS (SELECT FROM pg_attribute
     WHERE attrelid = '${table}'::regclass AND attname = '${column}' AND NOT attisdropped)`;

// Tags of equal count were ordered by their own id. Those that only collections gave come last.
const BOOK_TAGS = `${where(
  hasColumn('book_tags', 'id'),
  `
    ALTER TABLE book_tags ADD COLUMN position smallint NOT NULL DEFAULT 32767;
    UPDATE book_tags SET position = placed.position
    FROM (
      SELECT id, least(row_number() OVER (PARTITION BY book_id ORDER BY id) - 1, 32767) AS position
      FROM book_tags WHERE base_count > 0
    ) placed
    WHERE book_tags.id = placed.id;
    ALTER TABLE book_tags DROP COLUMN id, DROP CONSTRAINT book_tags_once;
    ALTER TABLE book_tags ADD CONSTRAINT book_tags_once PRIMARY KEY (book_id, name);`,
)};
ALTER TABLE book_tags DROP CONSTRAINT IF EXISTS book_tags_book;
DROP INDEX IF EXISTS book_tags_top;
`;

const BOOK_SEARCH = `
ALTER TABLE book_search DROP CONSTRAINT IF EXISTS book_search_book;
CREATE OR REPLACE FUNCTION forget_books() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM book_tags WHERE book_id IN (SELECT id FROM gone);
  DELETE FROM book_search WHERE book_id IN (SELECT id FROM gone);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER books_gone AFTER DELETE ON books REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_books();
`;

const UIDS = 'CREATE INDEX IF NOT EXISTS users_by_folded_uid ON users (lower(uid))';

const GRANTS = `
CREATE OR REPLACE TRIGGER grants_changed AFTER UPDATE OF revoked_at OR DELETE ON grants
  FOR EACH STATEMENT EXECUTE FUNCTION tell_callers_changed();
`;

const FRIENDSHIPS = where(
  hasColumn('friendships', 'id'),
  `
    ALTER TABLE friendships DROP COLUMN id, DROP CONSTRAINT friendships_once;
    ALTER TABLE friendships ADD CONSTRAINT friendships_once PRIMARY KEY (user_id, friend_id);`,
);

const NOTES = 'ALTER TABLE notes DROP CONSTRAINT IF EXISTS notes_author';

// Reviews may lack their times. Those that have none come last.
const MOVIE_REVIEWS = `
ALTER TABLE movie_reviews
  ALTER COLUMN created_at DROP NOT NULL, ALTER COLUMN created_at DROP DEFAULT,
  ALTER COLUMN updated_at DROP NOT NULL, ALTER COLUMN updated_at DROP DEFAULT;
${where(
  `pg_get_indexdef('movie_reviews_by_subject'::regclass) NOT LIKE '%created_at DESC NULLS LAST%'`,
  `
    DROP INDEX movie_reviews_by_subject;
    CREATE INDEX movie_reviews_by_subject
      ON movie_reviews (subject_id, useful_count DESC, place, created_at DESC NULLS LAST, id DESC);`,
)};
`;

const removable = ['books', 'subjects', 'celebrities', 'events', 'cities']
  .map(
    (table) => `
    ALTER TABLE ${table} ADD COLUMN removed_at timestamptz;
    CREATE INDEX ${table}_removed ON ${table} (id) WHERE removed_at IS NOT NULL;`,
  )
  .join('');

const REMOVABLE = where(
  `NOT ${hasColumn('books', 'removed_at')}`,
  `${removable}
    DROP INDEX events_by_end;
    CREATE INDEX events_by_end ON events (ends_at)
      INCLUDE (begins_at, id, city_id, type, private, owner_id, removed_at);
    DROP INDEX events_by_city;
    CREATE INDEX events_by_city ON events (city_id, ends_at)
      INCLUDE (begins_at, id, type, private, owner_id, removed_at);`,
);

const REPORTS = `
CREATE TABLE IF NOT EXISTS reports (
  id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,
  kind text NOT NULL,
  target_id bigint NOT NULL,
  user_id bigint NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT date_trunc('second', now()),
  decision text,
  decided_at timestamptz,
  decided_by text,
  comment text NOT NULL DEFAULT '',
  CONSTRAINT reports_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT reports_decision CHECK (decision IN ('dismissed', 'hidden')),
  CONSTRAINT reports_decided CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX IF NOT EXISTS reports_once
  ON reports (user_id, kind, target_id) WHERE decision IS NULL;
CREATE INDEX IF NOT EXISTS reports_by_state ON reports (decision, id);
`;
