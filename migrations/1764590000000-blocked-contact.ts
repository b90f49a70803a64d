import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The contact of whoever blocked an application, for its developer. */
export class BlockedContact1764590000000 implements MigrationInterface {
  name = 'BlockedContact1764590000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE applications ADD COLUMN blocked_contact text NOT NULL DEFAULT ''`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE applications DROP COLUMN blocked_contact');
  }
}
