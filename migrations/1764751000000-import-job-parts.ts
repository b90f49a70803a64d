import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores which records of a file an import job has completed since its last saved progress, so that
 * a resumed job does not store them again. `run` identifies the current attempt: transactions of
 * earlier attempts are rolled back.
 */
export class ImportJobParts1764751000000 implements MigrationInterface {
  name = 'ImportJobParts1764751000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE transfer_job_parts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      job_id bigint NOT NULL REFERENCES transfer_jobs (id) ON DELETE CASCADE,
      file text NOT NULL,
      last integer NOT NULL,
      imported integer[] NOT NULL,
      updated integer[] NOT NULL,
      skipped integer[] NOT NULL
    )`);
    await db.query('ALTER TABLE transfer_jobs ADD COLUMN run integer NOT NULL DEFAULT 0');
    await db.query('CREATE INDEX transfer_job_parts_by_job ON transfer_job_parts (job_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs DROP COLUMN run');
    await db.query('DROP TABLE transfer_job_parts');
  }
}
