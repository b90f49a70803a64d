import { Injectable } from '@nestjs/common';
import { type RequestedRow } from '../api/resources/list-by-ids';
import { type PageQuery } from '../api/resources/page';
import { BatchedRead } from '../database/batched-read';
import { Database, statement } from '../database/database';
import { toPage, type PageRow } from '../database/page-of';
import { userJson, type UserRow } from '../users/users.resources';
import { EVENT_TABLES, eventColumns, eventVisibleSql } from './events.sql';
import { type EventRow, type ParticipationKind, type UsersOfEvent } from './events.rows';

/** An event for a viewer; the benchmark uses it too. */
export const BY_ID = statement(
  'events.by_id',
  `SELECT ${eventColumns('$2')} FROM ${EVENT_TABLES} WHERE e.id = $1 AND ${eventVisibleSql('$2')}`,
);

const MANY_BY_ID = statement(
  'events.many_by_id',
  `SELECT ${eventColumns('k.viewer')}, k.at::int AS at
   FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS k(id, viewer, at), ${EVENT_TABLES}
   WHERE e.id = k.id AND ${eventVisibleSql('k.viewer')}`,
);

const BY_IDS = statement(
  'events.by_ids',
  `SELECT ${eventColumns('$2')}, k.at::int AS request_position
   FROM unnest($1::bigint[]) WITH ORDINALITY AS k(id, at), ${EVENT_TABLES}
   WHERE e.id = k.id AND ${eventVisibleSql('$2')} ORDER BY k.at`,
);

// The total is the event's counter, so that no rows are counted; far pages use the index.
const usersOf = (column: 'participants' | 'wishers'): string => `
  WITH page AS (
    SELECT a.id, a.user_id, a.joined_at FROM participations a
    WHERE a.event_id = $3 AND a.kind = $5
    ORDER BY a.joined_at DESC, a.id DESC LIMIT $1 OFFSET $2)
  SELECT e.${column} AS total, e.private, p.id IS NOT NULL AS hit, ${userJson('u')} AS user
  FROM events e LEFT JOIN page p ON true LEFT JOIN users u ON u.id = p.user_id
  WHERE e.id = $3 AND ${eventVisibleSql('$4')}
  ORDER BY p.joined_at DESC, p.id DESC`;

/** Users who joined an event, newest first; the benchmark uses it too. */
export const USERS_OF = {
  participate: statement('events.participants', usersOf('participants')),
  wish: statement('events.wishers', usersOf('wishers')),
} as const;

type UserOfEvent = PageRow & { readonly user: UserRow; readonly private: boolean };

@Injectable()
export class EventsRepository {
  private readonly byId: BatchedRead<EventRow>;

  constructor(private readonly database: Database) {
    this.byId = new BatchedRead(database, BY_ID, MANY_BY_ID);
  }

  /** An event if it is visible to `viewer`. */
  findEventById(id: number, viewer: number | undefined): Promise<EventRow | undefined> {
    return this.byId.find(id, viewer ?? null);
  }

  /** Events by ids in their order, if they are visible to `viewer`; null ids match none. */
  listByIds(
    ids: readonly (number | null)[],
    viewer: number | undefined,
  ): Promise<(EventRow & RequestedRow)[]> {
    return this.database.query<EventRow & RequestedRow>(BY_IDS, [ids, viewer ?? null]);
  }

  /** Users who joined an event, newest first; undefined when `viewer` may not see the event. */
  async usersOf(
    id: number,
    kind: ParticipationKind,
    viewer: number | undefined,
    page: PageQuery,
  ): Promise<UsersOfEvent | undefined> {
    const values = [page.count, page.start, id, viewer ?? null, kind];
    const rows = await this.database.query<UserOfEvent>(USERS_OF[kind], values);
    const [first] = rows;
    if (!first) return undefined;
    const { items, ...rest } = toPage(rows, page.start);
    return { ...rest, items: items.map(({ user }) => user), private: first.private };
  }
}
