import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An application can have a test key: an application of its own, whose requests count apart. */
export class TestKeys1764732000000 implements MigrationInterface {
  name = 'TestKeys1764732000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE applications
      ADD COLUMN test_of bigint
        CONSTRAINT applications_test_of REFERENCES applications ON DELETE CASCADE,
      ADD CONSTRAINT applications_one_test_key UNIQUE (test_of)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DELETE FROM applications WHERE test_of IS NOT NULL');
    await db.query('ALTER TABLE applications DROP COLUMN test_of');
  }
}
