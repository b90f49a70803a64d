import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Which file the parts of full imports are from: another file with other records may have had the
 * name during an earlier attempt.
 */
export class SourcesOfJobParts1764756000000 implements MigrationInterface {
  name = 'SourcesOfJobParts1764756000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE transfer_job_parts ADD COLUMN source text NOT NULL DEFAULT ''`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_job_parts DROP COLUMN source');
  }
}
