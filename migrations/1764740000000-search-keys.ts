import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The key of a stored search is one text, of its phrase and its tag: servers of the version before, which run beside
 * new ones during an upgrade, expect one row for each phrase.
 */
export class SearchKeys1764740000000 implements MigrationInterface {
  name = 'SearchKeys1764740000000';

  // The table is a cache: its rows are computed again.
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      TRUNCATE search_results;
      ALTER TABLE search_results DROP CONSTRAINT search_results_pkey, DROP COLUMN tag;
      ALTER TABLE search_results ADD CONSTRAINT search_results_pkey PRIMARY KEY (source, phrase);`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      TRUNCATE search_results;
      ALTER TABLE search_results ADD COLUMN tag text NOT NULL DEFAULT '';
      ALTER TABLE search_results DROP CONSTRAINT search_results_pkey;
      ALTER TABLE search_results ADD CONSTRAINT search_results_pkey
        PRIMARY KEY (source, phrase, tag);`);
  }
}
