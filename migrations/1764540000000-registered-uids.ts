import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Of uids that differ in case alone, one can be registered. Imported people keep the uids that they
 * had elsewhere, so the constraint is on registrations and not on users.
 */
export class RegisteredUids1764540000000 implements MigrationInterface {
  name = 'RegisteredUids1764540000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLE);
    await db.query(EXISTING);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE registered_uids');
  }
}

const TABLE = `
CREATE TABLE registered_uids (
  folded text PRIMARY KEY,
  user_id bigint NOT NULL,
  CONSTRAINT registered_uids_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX registered_uids_by_user ON registered_uids (user_id);
`;

// Where two were registered before this, the older one holds the uid. The other stays as it is, and
// signs in as before: only further registrations are refused.
const EXISTING = `
INSERT INTO registered_uids (folded, user_id)
SELECT lower(u.uid COLLATE "C"), min(u.id)
FROM users u JOIN passwords p ON p.user_id = u.id
GROUP BY 1
`;
