import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Ids of books and films that administrators merged into others. Processes hold them in memory. */
export class MergedRecords1764730000000 implements MigrationInterface {
  name = 'MergedRecords1764730000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE merged_records (
        kind text NOT NULL CONSTRAINT merged_records_kind CHECK (kind IN ('book', 'movie')),
        id bigint NOT NULL,
        survivor_id bigint NOT NULL CONSTRAINT merged_records_other CHECK (survivor_id <> id),
        merged_at timestamptz NOT NULL DEFAULT date_trunc('second', now()),
        CONSTRAINT merged_records_pkey PRIMARY KEY (kind, id)
      );
      CREATE INDEX merged_records_survivor ON merged_records (kind, survivor_id);
      CREATE FUNCTION notify_merged_records_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('merged_records_changed', '');
        RETURN NULL;
      END $$;
      CREATE TRIGGER merged_records_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON merged_records
        FOR EACH STATEMENT EXECUTE FUNCTION notify_merged_records_changed();`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE merged_records; DROP FUNCTION notify_merged_records_changed');
  }
}
