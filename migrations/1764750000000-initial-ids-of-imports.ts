import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores the last assigned ids when an import job begins for the first time, so that a resumed job
 * knows which records users may have created meanwhile.
 */
export class InitialIdsOfImports1764750000000 implements MigrationInterface {
  name = 'InitialIdsOfImports1764750000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs ADD COLUMN initial_ids jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs DROP COLUMN initial_ids');
  }
}
