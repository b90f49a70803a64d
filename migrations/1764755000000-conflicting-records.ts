import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Content of imported files whose ids belong to other content here, and which was rejected. References
 * of the files to these ids must not give private records, such as replies, to that content.
 */
export class ConflictingRecords1764755000000 implements MigrationInterface {
  name = 'ConflictingRecords1764755000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE conflicting_records (
      kind text NOT NULL,
      id bigint NOT NULL,
      PRIMARY KEY (kind, id)
    )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE conflicting_records');
  }
}
