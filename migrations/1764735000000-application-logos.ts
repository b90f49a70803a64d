import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Applications can have a logo: picture 1 of the subject `application` in `picture_uses`. A deleted
 * application loses its logo, whoever deletes it.
 */
export class ApplicationLogos1764735000000 implements MigrationInterface {
  name = 'ApplicationLogos1764735000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE FUNCTION delete_application_logo() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH gone AS (DELETE FROM picture_uses
          WHERE subject = 'application' AND subject_id = OLD.id RETURNING hash)
        UPDATE pictures SET last_referenced_at = now() WHERE hash IN (SELECT hash FROM gone);
        RETURN NULL;
      END $$`);
    await db.query(`CREATE TRIGGER applications_logo AFTER DELETE ON applications
      FOR EACH ROW EXECUTE FUNCTION delete_application_logo()`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER applications_logo ON applications');
    await db.query('DROP FUNCTION delete_application_logo()');
    await db.query(`DELETE FROM picture_uses WHERE subject = 'application'`);
  }
}
