import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stored searches by tag, and by words and tag, and the changes of tags since. */
export class StoredTagSearches1764736000000 implements MigrationInterface {
  name = 'StoredTagSearches1764736000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE search_results ADD COLUMN tag text NOT NULL DEFAULT '';
      ALTER TABLE search_results DROP CONSTRAINT search_results_pkey;
      ALTER TABLE search_results ADD CONSTRAINT search_results_pkey
        PRIMARY KEY (source, phrase, tag);`);
    for (const [tags, key] of SOURCES) await db.query(changesOf(tags, key));
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [tags] of SOURCES) {
      await db.query(`
        DROP TRIGGER ${tags}_log_inserted ON ${tags};
        DROP TRIGGER ${tags}_log_updated ON ${tags};
        DROP TRIGGER ${tags}_log_deleted ON ${tags};
        DROP FUNCTION log_inserted_${tags}, log_updated_${tags}, log_deleted_${tags};
        DROP TABLE ${tags}_changes;`);
    }
    await db.query(`
      TRUNCATE search_results;
      ALTER TABLE search_results DROP COLUMN tag;
      ALTER TABLE search_results ADD CONSTRAINT search_results_pkey PRIMARY KEY (source, phrase);`);
  }
}

const SOURCES = [
  ['book_tags', 'book_id'],
  ['subject_tags', 'subject_id'],
] as const;

/** Tags of a statement that are logged one by one; with more, one row stands for any change. */
const MAX_LOGGED = 100;

// Each tag that was added to or removed from a record, by its folded name. A row with the empty name
// stands for many changes: searches by tag are evaluated again then. The tags of records that an
// import adds (`commonplace.tags_counted`) are not logged, because the records themselves are.
const logged = (tags: string, key: string, rows: string, existed: boolean): string => `
  IF (SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${MAX_LOGGED + 1}) first_rows) > ${MAX_LOGGED} THEN
    INSERT INTO ${tags}_changes (folded, existed) VALUES ('', ${existed});
  ELSE
    INSERT INTO ${tags}_changes (folded, ${key}, name, existed)
    SELECT folded, ${key}, name, ${existed} FROM ${rows} WHERE folded <> '';
  END IF;
  RETURN NULL;`;

const changesOf = (tags: string, key: string): string => `
CREATE UNLOGGED TABLE ${tags}_changes (
  folded text NOT NULL,
  transaction_id bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  id bigint GENERATED ALWAYS AS IDENTITY,
  ${key} bigint,
  name text,
  existed boolean NOT NULL,
  CONSTRAINT ${tags}_changes_pkey PRIMARY KEY (folded, transaction_id, id)
);
CREATE FUNCTION log_inserted_${tags}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN${logged(tags, key, 'inserted', false)}
END $$;
CREATE TRIGGER ${tags}_log_inserted AFTER INSERT ON ${tags} REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT
  WHEN (current_setting('commonplace.tags_counted', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION log_inserted_${tags}();
CREATE FUNCTION log_updated_${tags}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ${tags}_changes (folded, ${key}, name, existed)
  SELECT * FROM (VALUES (OLD.folded, OLD.${key}, OLD.name, true),
    (NEW.folded, NEW.${key}, NEW.name, false)) AS c(folded, ${key}, name, existed)
  WHERE folded <> '';
  RETURN NULL;
END $$;
CREATE TRIGGER ${tags}_log_updated AFTER UPDATE OF ${key}, name, folded ON ${tags} FOR EACH ROW
  WHEN ((OLD.${key}, OLD.name, OLD.folded) IS DISTINCT FROM (NEW.${key}, NEW.name, NEW.folded))
  EXECUTE FUNCTION log_updated_${tags}();
CREATE FUNCTION log_deleted_${tags}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN${logged(tags, key, 'deleted', true)}
END $$;
CREATE TRIGGER ${tags}_log_deleted AFTER DELETE ON ${tags} REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION log_deleted_${tags}();
`;
