import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How often a job was begun: one that keeps ending its process is not resumed for ever. */
export class JobAttempts1764560000000 implements MigrationInterface {
  name = 'JobAttempts1764560000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs ADD COLUMN attempts integer NOT NULL DEFAULT 0');
    await db.query(`UPDATE transfer_jobs SET attempts = 1 WHERE state <> 'waiting'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE transfer_jobs DROP COLUMN attempts');
  }
}
