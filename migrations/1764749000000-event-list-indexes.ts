import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the columns that lists of events that are not over compare and sum to the indexes that these
 * lists read, so that they do not read a page of the table for each counter and for each event that
 * has begun. Takes about twenty seconds with a million events.
 */
export class EventListIndexes1764749000000 implements MigrationInterface {
  name = 'EventListIndexes1764749000000';

  async up(db: QueryRunner): Promise<void> {
    await rebuildCounts(db, 'INCLUDE (type, events)');
    // Pages of the table that have changed since the last vacuum are read, too.
    await db.query(`
      ALTER TABLE event_counts
        SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
    await rebuildSpans(db, 'INCLUDE (id, begins_at, ends_at, type, private, owner_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await rebuildCounts(db, '');
    await db.query(`
      ALTER TABLE event_counts
        RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`);
    await rebuildSpans(db, '');
  }
}

const rebuildCounts = (db: QueryRunner, included: string): Promise<unknown> =>
  db.query(`
    ALTER TABLE event_counts DROP CONSTRAINT event_counts_pkey,
      ADD CONSTRAINT event_counts_pkey PRIMARY KEY (city_id, days, period, id) ${included}`);

const rebuildSpans = (db: QueryRunner, included: string): Promise<unknown> =>
  db.query(`
    DROP INDEX events_by_span;
    CREATE INDEX events_by_span ON events USING gist (tstzrange(begins_at, ends_at, '[]'))
      ${included} WHERE deleted_at IS NULL`);
