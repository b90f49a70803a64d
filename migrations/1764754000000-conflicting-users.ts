import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Users of imported files whose ids belong to other users, who have registered here. References of
 * the files to these ids must not give private records to them.
 */
export class ConflictingUsers1764754000000 implements MigrationInterface {
  name = 'ConflictingUsers1764754000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE conflicting_users (
      user_id bigint PRIMARY KEY,
      CONSTRAINT conflicting_users_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE conflicting_users');
  }
}
