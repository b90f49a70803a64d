import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { type CityKey } from '../cities/cities.repository';
import { Database, statement } from '../database/database';
import { hasPart } from '../database/filtered-list';
import { IdScan, idScan } from '../database/id-scan';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { EVENTS_OF_PAGE, eventColumns, eventVisibleSql, notOver } from './events.sql';
import { type EventRow } from './events.rows';
import { eventsAfter } from './open-events.sql';

const BY_TITLE = statement(
  'event_pages.by_title',
  paginated({
    hits: `SELECT e.id, e.begins_at FROM events e WHERE ${hasPart('e.title', '$3')}
      AND ${eventVisibleSql('NULL')} AND ${notOver('$4')}`,
    key: 'id',
    order: ['begins_at', 'id'],
    columns: eventColumns('NULL'),
    joins: EVENTS_OF_PAGE,
    limit: ['$1', '$2'],
  }),
);

/** Each event once, also if its organizer takes part. The next events precede the latest past ones. */
const OF_USER = statement(
  'event_pages.of_user',
  paginated({
    hits: `SELECT e.id, e.owner_id = $3 AS organized, NOT ${notOver('$4')} AS past,
        extract(epoch FROM e.begins_at) * CASE WHEN ${notOver('$4')} THEN 1 ELSE -1 END AS rank
      FROM events e WHERE ${eventVisibleSql('NULL')} AND e.id IN (
        SELECT o.id FROM events o WHERE o.owner_id = $3
        UNION SELECT a.event_id FROM participations a
        WHERE a.user_id = $3 AND a.kind = 'participate')`,
    key: 'id',
    order: ['past', 'organized DESC', 'rank', 'id'],
    columns: `p.organized, p.past, ${eventColumns('NULL')}`,
    joins: EVENTS_OF_PAGE,
    limit: ['$1', '$2'],
  }),
);

const CITIES = statement(
  'event_pages.cities',
  `SELECT c.id::float8 AS id, c.uid, c.name, c.time_zone FROM (
     SELECT c.id, c.uid, c.name, c.time_zone, ${eventsAfter('c.id', 'd.day')} AS events
     FROM cities c,
       (SELECT floor(extract(epoch FROM $1::timestamptz) / 86400)::integer AS day) d
     WHERE c.deleted_at IS NULL AND c.name <> '') c
   WHERE c.events > 0 ORDER BY c.events DESC, c.id LIMIT $2`,
);

const SITE_MAP = idScan(
  'event_pages.site_map',
  'events e',
  'e.deleted_at IS NULL AND NOT e.private',
);

const DELETED = statement(
  'event_pages.deleted',
  'SELECT 1 FROM events WHERE id = $1 AND deleted_at IS NOT NULL AND NOT private',
);

/** An event of a user: whether the user organizes it, and whether it is over. */
export type UserEventRow = EventRow & { readonly organized: boolean; readonly past: boolean };

/** Reads of events that only the pages need. All of them show public events alone. */
@Injectable()
export class EventPagesRepository {
  constructor(private readonly database: Database) {}

  /** Public events that are not over, with a part of the title, by begin time. */
  async searchEvents(q: string, { start, count }: PageQuery, now: Date): Promise<Page<EventRow>> {
    const values = [count, start, q, now.toISOString()];
    return toPage(await this.database.query<EventRow & PageRow>(BY_TITLE, values), start);
  }

  /**
   * Public events that a user organizes or takes part in: those that are not over by begin time,
   * then the past ones, latest first. In both, events of the user come first.
   */
  async listUserEvents(
    userId: number,
    { start, count }: PageQuery,
    now: Date,
  ): Promise<Page<UserEventRow>> {
    const values = [count, start, userId, now.toISOString()];
    return toPage(await this.database.query<UserEventRow & PageRow>(OF_USER, values), start);
  }

  /** Cities with public events that end after today (UTC); cities with most events first. */
  listCities(count: number, now: Date): Promise<CityKey[]> {
    return this.database.query<CityKey>(CITIES, [now.toISOString(), count]);
  }

  /** Whether an administrator deleted an event that was public. */
  async isDeleted(id: number): Promise<boolean> {
    return (await this.database.query(DELETED, [id])).length > 0;
  }

  /** The ids of public events, for site maps. */
  scanEvents(): IdScan {
    return new IdScan(this.database, SITE_MAP);
  }
}
