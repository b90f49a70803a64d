import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores the version of the file with each part of a full import, because another file may have had
 * its name during an earlier attempt.
 */
export class FileVersionsOfJobParts1764756000000 implements MigrationInterface {
  name = 'FileVersionsOfJobParts1764756000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE transfer_job_parts ADD COLUMN file_version text NOT NULL DEFAULT ''`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_job_parts DROP COLUMN file_version');
  }
}
