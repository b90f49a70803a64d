import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Pictures whose files are being deleted. While the row of a picture exists and has not ended, the
 * picture cannot be stored.
 */
export class PictureRemovals1764742000000 implements MigrationInterface {
  name = 'PictureRemovals1764742000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE picture_removals (
      hash bytea NOT NULL,
      ends_at timestamptz NOT NULL,
      CONSTRAINT picture_removals_pkey PRIMARY KEY (hash)
    )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE picture_removals');
  }
}
