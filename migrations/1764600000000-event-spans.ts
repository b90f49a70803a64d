import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An index of the time spans of events, for lists of some days in all cities. */
export class EventSpans1764600000000 implements MigrationInterface {
  name = 'EventSpans1764600000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE INDEX events_by_span ON events USING gist (tstzrange(begins_at, ends_at, '[]'))
       WHERE deleted_at IS NULL`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX events_by_span');
  }
}
