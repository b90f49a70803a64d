import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stores the last ids at the beginning of imports, so that a resumed one knows what users created. */
export class IdsBeforeImports1764750000000 implements MigrationInterface {
  name = 'IdsBeforeImports1764750000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs ADD COLUMN last_ids jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs DROP COLUMN last_ids');
  }
}
