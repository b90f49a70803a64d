import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Dangerous steps of administrators require a password entry in the last minutes. */
export class ConfirmedSessions1764660000000 implements MigrationInterface {
  name = 'ConfirmedSessions1764660000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now()',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE sessions DROP COLUMN confirmed_at');
  }
}
