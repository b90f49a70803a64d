import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The reason of a user's block, and its last day. */
export class UserBlocks1764731000000 implements MigrationInterface {
  name = 'UserBlocks1764731000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE users ADD COLUMN blocked_reason text, ADD COLUMN blocked_until date',
    );
    await db.query(
      'CREATE INDEX users_blocked_until ON users (blocked_until) WHERE blocked_until IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE users DROP COLUMN blocked_until, DROP COLUMN blocked_reason');
  }
}
