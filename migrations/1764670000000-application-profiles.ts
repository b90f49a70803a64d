import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Applications have a homepage and a description, which the consent page shows. */
export class ApplicationProfiles1764670000000 implements MigrationInterface {
  name = 'ApplicationProfiles1764670000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE applications
      ADD COLUMN homepage text NOT NULL DEFAULT '',
      ADD COLUMN description text NOT NULL DEFAULT ''`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE applications DROP COLUMN homepage, DROP COLUMN description');
  }
}
