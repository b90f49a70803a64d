import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stored searches of words that many rows match, and the changes of search texts since. */
export class StoredSearches1764630000000 implements MigrationInterface {
  name = 'StoredSearches1764630000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(RESULTS);
    for (const [texts, key] of SOURCES) await db.query(changesOf(texts, key));
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [texts] of SOURCES) {
      await db.query(`
        DROP TRIGGER ${texts}_log_inserted ON ${texts};
        DROP TRIGGER ${texts}_log_updated ON ${texts};
        DROP TRIGGER ${texts}_log_deleted ON ${texts};
        DROP FUNCTION log_inserted_${texts}, log_updated_${texts}, log_deleted_${texts};
        DROP TABLE ${texts}_changes;`);
    }
    await db.query('DROP TABLE search_results');
  }
}

const SOURCES = [
  ['book_search', 'book_id'],
  ['subject_search', 'subject_id'],
] as const;

// The tables are unlogged, because they can be computed again: after a crash of PostgreSQL they are
// empty. Snapshots are only valid on the server that took them, and transaction ids of a restored
// dump are from another one: a search ignores results from before the last start of the server.
const RESULTS = `
CREATE UNLOGGED TABLE search_results (
  source text NOT NULL,
  phrase text NOT NULL,
  total integer NOT NULL,
  as_of text NOT NULL,
  server_started_at timestamptz NOT NULL,
  ids bigint[] NOT NULL,
  ranks integer[] NOT NULL,
  popularities integer[] NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT search_results_pkey PRIMARY KEY (source, phrase)
);
`;

// Each change of a row that a search reads, with the former text if the text changed. A row that
// is inserted did not exist.
const changesOf = (texts: string, key: string): string => `
CREATE UNLOGGED TABLE ${texts}_changes (
  transaction_id bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  id bigint GENERATED ALWAYS AS IDENTITY,
  ${key} bigint NOT NULL,
  existed boolean NOT NULL,
  body text,
  terms tsvector,
  CONSTRAINT ${texts}_changes_pkey PRIMARY KEY (transaction_id, id)
);
CREATE FUNCTION log_inserted_${texts}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ${texts}_changes (${key}, existed) SELECT ${key}, false FROM inserted;
  RETURN NULL;
END $$;
CREATE TRIGGER ${texts}_log_inserted AFTER INSERT ON ${texts} REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION log_inserted_${texts}();
CREATE FUNCTION log_updated_${texts}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.body, OLD.terms) IS DISTINCT FROM (NEW.body, NEW.terms) THEN
    INSERT INTO ${texts}_changes (${key}, existed, body, terms)
    VALUES (OLD.${key}, true, OLD.body, OLD.terms);
  ELSE
    INSERT INTO ${texts}_changes (${key}, existed) VALUES (OLD.${key}, true);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ${texts}_log_updated AFTER UPDATE ON ${texts} FOR EACH ROW
  WHEN ((OLD.popularity, OLD.title, OLD.body, OLD.terms)
    IS DISTINCT FROM (NEW.popularity, NEW.title, NEW.body, NEW.terms))
  EXECUTE FUNCTION log_updated_${texts}();
CREATE FUNCTION log_deleted_${texts}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ${texts}_changes (${key}, existed, body, terms)
  SELECT ${key}, true, body, terms FROM deleted;
  RETURN NULL;
END $$;
CREATE TRIGGER ${texts}_log_deleted AFTER DELETE ON ${texts} REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION log_deleted_${texts}();
`;
