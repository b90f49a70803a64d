import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Why grants and tokens were revoked, so that clients learn of a changed password (D50). */
export class PasswordRevocations1764550000000 implements MigrationInterface {
  name = 'PasswordRevocations1764550000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(REASONS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE access_tokens DROP COLUMN revoked_reason');
    await db.query('ALTER TABLE grants DROP COLUMN revoked_reason');
  }
}

// Null for everything that was revoked on its own account: tokens of these answer 103.
const REASONS = `
ALTER TABLE grants
  ADD COLUMN revoked_reason text,
  ADD CONSTRAINT grants_revoked_reason CHECK (revoked_reason IN ('password_changed'));
ALTER TABLE access_tokens
  ADD COLUMN revoked_reason text,
  ADD CONSTRAINT access_tokens_revoked_reason CHECK (revoked_reason IN ('password_changed'));
`;
