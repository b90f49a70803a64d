import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Words of entries of the moderation queue are a plain list of texts. Imports of earlier versions
 * also stored null and nested lists, with which the page of the queue failed.
 */
export class WordsOfQueue1764753000000 implements MigrationInterface {
  name = 'WordsOfQueue1764753000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`UPDATE moderation_queue
      SET words = ARRAY(SELECT word FROM unnest(words) word WHERE word IS NOT NULL)
      WHERE array_ndims(words) > 1 OR EXISTS (SELECT FROM unnest(words) word WHERE word IS NULL)`);
    // array_position raises an error for nested lists.
    await db.query(`ALTER TABLE moderation_queue ADD CONSTRAINT moderation_queue_words CHECK
      (CASE WHEN array_ndims(words) > 1 THEN false ELSE array_position(words, NULL) IS NULL END)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE moderation_queue DROP CONSTRAINT moderation_queue_words');
  }
}
