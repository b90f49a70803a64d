import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Remembers which pictures were deleted here, so that no other file is: the files of another
 * database have no rows in this one.
 */
export class DeletedPictures1764757000000 implements MigrationInterface {
  name = 'DeletedPictures1764757000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE deleted_pictures (
      hash bytea NOT NULL,
      deleted_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT deleted_pictures_pkey PRIMARY KEY (hash)
    )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE deleted_pictures');
  }
}
