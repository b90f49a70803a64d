import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Gives test keys the limit of their application (D171). */
export class TestKeyLimits1764744000000 implements MigrationInterface {
  name = 'TestKeyLimits1764744000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE applications t SET limit_per_hour = a.limit_per_hour FROM applications a
      WHERE t.test_of = a.id AND t.limit_per_hour IS DISTINCT FROM a.limit_per_hour`);
  }

  async down(): Promise<void> {
    // Their former limits are not stored.
  }
}
