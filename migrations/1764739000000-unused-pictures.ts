import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A picture that nothing shows counts in the storage of a user until its files are deleted: the
 * user who uploaded it last, or whose text or application showed it last.
 */
export class UnusedPictures1764739000000 implements MigrationInterface {
  name = 'UnusedPictures1764739000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE pictures ADD COLUMN unused_owner_id bigint,
      ADD CONSTRAINT pictures_unused_owner FOREIGN KEY (unused_owner_id)
        REFERENCES users (id) ON DELETE SET NULL`);
    await db.query(`CREATE INDEX pictures_by_unused_owner ON pictures (unused_owner_id)
      WHERE unused_owner_id IS NOT NULL`);
    await db.query(deleteLogo('last_referenced_at = now(), unused_owner_id = OLD.owner_id'));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(deleteLogo('last_referenced_at = now()'));
    await db.query('ALTER TABLE pictures DROP COLUMN unused_owner_id');
  }
}

/** @param changes of the pictures of a deleted application */
const deleteLogo = (changes: string): string => `
  CREATE OR REPLACE FUNCTION delete_application_logo() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    WITH gone AS (DELETE FROM picture_uses
      WHERE subject = 'application' AND subject_id = OLD.id RETURNING hash)
    UPDATE pictures SET ${changes} WHERE hash IN (SELECT hash FROM gone);
    RETURN NULL;
  END $$`;
