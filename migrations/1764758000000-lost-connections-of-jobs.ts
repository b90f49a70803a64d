import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Counts how often a job was cut off by a lost connection, so that one whose work makes PostgreSQL
 * crash is not resumed for ever.
 */
export class LostConnectionsOfJobs1764758000000 implements MigrationInterface {
  name = 'LostConnectionsOfJobs1764758000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE transfer_jobs ADD COLUMN lost_connections integer NOT NULL DEFAULT 0',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs DROP COLUMN lost_connections');
  }
}
