import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Deletes the uses of pictures that imports of earlier versions restored for notes and annotations
 * that users had deleted. Their pictures stayed available, and their files were never deleted.
 */
export class UsesOfDeletedTexts1764752000000 implements MigrationInterface {
  name = 'UsesOfDeletedTexts1764752000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`WITH gone AS (
        DELETE FROM picture_uses u
        WHERE u.subject = 'note' AND NOT EXISTS (SELECT FROM notes n WHERE n.id = u.subject_id)
          OR u.subject = 'annotation'
            AND NOT EXISTS (SELECT FROM annotations a WHERE a.id = u.subject_id)
        RETURNING u.hash)
      UPDATE pictures SET last_referenced_at = now() WHERE hash IN (SELECT hash FROM gone)`);
  }

  async down(): Promise<void> {
    // Nothing showed these pictures.
  }
}
