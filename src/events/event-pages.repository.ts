import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { hasPart } from '../database/filtered-list';
import { EVENTS_OF_PAGE, eventColumns, eventVisibleSql, notOver } from './events.sql';
import { type EventRow } from './events.rows';

const BY_TITLE = statement(
  'event_pages.by_title',
  `SELECT ${eventColumns('$3')} FROM (
     SELECT e.id, e.begins_at FROM events e
     WHERE ${hasPart('e.title', '$1')}
       AND ${eventVisibleSql('$3')} AND ${notOver('$4')}
     ORDER BY e.begins_at, e.id LIMIT $2) p ${EVENTS_OF_PAGE} ORDER BY p.begins_at, p.id`,
);

const IDS = statement(
  'event_pages.ids',
  `SELECT id::float8 AS id FROM events
   WHERE deleted_at IS NULL AND NOT private AND id > $1 ORDER BY id LIMIT $2 OFFSET $3`,
);

const DELETED = statement(
  'event_pages.deleted',
  'SELECT 1 FROM events WHERE id = $1 AND deleted_at IS NOT NULL AND NOT private',
);

/** Reads of events that only the pages need. All of them show public events alone. */
@Injectable()
export class EventPagesRepository {
  constructor(private readonly database: Database) {}

  /** Public events that are not over, with a part of the title, by begin time. */
  searchEvents(q: string, count: number, now: Date): Promise<EventRow[]> {
    return this.database.query<EventRow>(BY_TITLE, [q, count, null, now.toISOString()]);
  }

  /** Whether an administrator deleted an event that was public. */
  async isDeleted(id: number): Promise<boolean> {
    return (await this.database.query(DELETED, [id])).length > 0;
  }

  /** Ids of public events after an id, in order; for the site map. */
  async listIdsAfter(id: number, count: number, skip = 0): Promise<number[]> {
    return (await this.database.query<{ id: number }>(IDS, [id, count, skip])).map((row) => row.id);
  }
}
