import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Size of the small file of a picture. It is not known for earlier pictures. */
export class SmallPictureSizes1764745300000 implements MigrationInterface {
  name = 'SmallPictureSizes1764745300000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE pictures ADD COLUMN small_bytes integer');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE pictures DROP COLUMN small_bytes');
  }
}
