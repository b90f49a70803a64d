import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { listTotal } from '../database/list-counts';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { eventsInSpan, ON_DAYS, zonesOf, type Days } from './day-types';
import { EVENTS_OF_PAGE, eventColumns, notOver, eventVisibleSql, wasInvited } from './events.sql';
import { type EventRow, type ParticipationKind } from './events.rows';
import { openEvents } from './open-events.sql';
import { participationsOfUser, type EventStatus } from './participation-lists.sql';
import { boxesAround, within, type Circle } from './near';

/** Filters of a list of events; undefined means any. */
export interface EventFilter {
  readonly now: Date;
  readonly city?: number;
  readonly days?: Days;
  /** Number of a type, 0 for other types. */
  readonly type?: number;
  readonly near?: Circle;
}

/** Numbers named SQL parameters in order of first use. */
class SqlParams {
  readonly names: string[] = [];

  readonly of = (name: string): string => {
    if (!this.names.includes(name)) this.names.push(name);
    return `$${this.names.indexOf(name) + 1}`;
  };
}

interface ListStatement {
  readonly statement: Statement;
  /** Parameter names in order. */
  readonly names: readonly string[];
}

/**
 * One statement per combination of filters, so that each can use its index. Lists are ordered by
 * begin time (D39).
 */
function listOf(by: { city: boolean; days: boolean; near: boolean }): ListStatement {
  const { names, of } = new SqlParams();
  const name = ['events.list', ...Object.entries(by).flatMap(([word, is]) => (is ? [word] : []))];
  if (!by.days && !by.near) {
    const sql = `WITH ${openEvents(of, by.city)}
      SELECT t.total::int AS total, p.id IS NOT NULL AS hit, ${eventColumns(of('viewer'))}
      FROM total t LEFT JOIN page p ON true ${EVENTS_OF_PAGE} ORDER BY p.begins_at, p.id`;
    return { statement: statement(name.join('_'), sql), names };
  }
  const city = by.city ? `AND e.city_id = ${of('city')}::bigint` : '';
  const near = by.near
    ? `AND ${within({
        lat: of('lat'),
        lon: of('lon'),
        radius: of('radius'),
        box1: of('box1'),
        box2: of('box2'),
      })}`
    : '';
  const zones = by.days
    ? `WITH zones AS MATERIALIZED (${zonesOf(
        by.city ? `cities WHERE id = ${of('city')}::bigint` : 'cities',
        {
          now: of('now'),
          unit: of('unit'),
          from: of('from'),
          to: of('to'),
        },
      )})`
    : '';
  const inZones = by.days
    ? `JOIN cities c ON c.id = e.city_id JOIN zones z ON z.time_zone = c.time_zone AND ${ON_DAYS}`
    : '';
  // Most events of a city are on other days, so the list reads those in the span of the days.
  const events =
    by.days && !by.near
      ? `${eventsInSpan(by.city ? `${of('city')}::bigint` : undefined)} e`
      : 'events e';
  const sql = paginated({
    hits: `${zones} SELECT e.id, e.begins_at FROM ${events} ${inZones}
      WHERE ${notOver(of('now'))} ${city} ${near} AND ${eventVisibleSql(of('viewer'))}
        AND (${of('type')}::smallint IS NULL OR e.type = ${of('type')})`,
    key: 'id',
    order: ['begins_at', 'id'],
    columns: eventColumns(of('viewer')),
    joins: EVENTS_OF_PAGE,
    limit: [of('count'), of('start')],
  });
  return { statement: statement(name.join('_'), sql), names };
}

const EITHER = [false, true];
const keyOf = (city: boolean, days: boolean, near: boolean): string => `${city} ${days} ${near}`;
const LISTS = new Map(
  EITHER.flatMap((city) =>
    EITHER.flatMap((days) =>
      EITHER.map((near) => [keyOf(city, days, near), listOf({ city, days, near })] as const),
    ),
  ),
);

/** The statement of a list with its parameters; the benchmark uses it too. */
export function listStatement(
  filter: EventFilter,
  viewer: number | undefined,
  page: PageQuery,
): { statement: Statement; values: unknown[] } {
  const { now, city, days, type, near } = filter;
  const key = keyOf(city !== undefined, days !== undefined, near !== undefined);
  const list = LISTS.get(key) as ListStatement;
  const [box1, box2] = near ? boxesAround(near) : [];
  const valuesByName: Record<string, unknown> = {
    ...{ ...near, ...days, ...page, city, box1, box2 },
    ...{ now: now.toISOString(), viewer: viewer ?? null, type: type ?? null },
  };
  return { statement: list.statement, values: list.names.map((name) => valuesByName[name]) };
}

const CREATED = statement(
  'events.created_by',
  paginated({
    hits: `SELECT e.id, e.begins_at FROM events e WHERE e.owner_id = $3 AND ${eventVisibleSql('$4')}`,
    inOrder: true,
    total: `SELECT CASE WHEN $3 = $4 THEN (${listTotal('userEvents', '$3', '2')})
       ELSE (${listTotal('userEvents', '$3')}) + (SELECT count(*) FROM events e
         WHERE e.owner_id = $3 AND e.private AND e.deleted_at IS NULL AND ${wasInvited('$4')}) END`,
    key: 'id',
    order: ['begins_at', 'id'],
    columns: `${eventColumns('$4')}, EXISTS (SELECT 1 FROM users WHERE id = $3) AS user_exists`,
    joins: EVENTS_OF_PAGE,
    limit: ['$1', '$2'],
  }),
);

const joinedBy = (kind: ParticipationKind) => {
  const list = (status: EventStatus) =>
    statement(`events.${kind}_${status ?? 'all'}`, participationsOfUser(kind, status));
  return { all: list(undefined), ongoing: list('ongoing'), expired: list('expired') } as const;
};
const JOINED = { participate: joinedBy('participate'), wish: joinedBy('wish') } as const;

type OfUser = EventRow & PageRow & { readonly user_exists: boolean };

const toPageOfUser = (rows: readonly OfUser[], start: number): Page<EventRow> | undefined =>
  rows[0]?.user_exists === true ? toPage(rows, start) : undefined;

@Injectable()
export class EventListsRepository {
  constructor(private readonly database: Database) {}

  /** Events that are not over and visible to `viewer`. */
  async list(
    filter: EventFilter,
    viewer: number | undefined,
    page: PageQuery,
  ): Promise<Page<EventRow>> {
    const { statement: what, values } = listStatement(filter, viewer, page);
    return toPage(await this.database.query<EventRow & PageRow>(what, values), page.start);
  }

  /** Events of an owner visible to `viewer`; undefined when the user is not found. */
  async createdBy(
    userId: number,
    viewer: number | undefined,
    page: PageQuery,
  ): Promise<Page<EventRow> | undefined> {
    const values = [page.count, page.start, userId, viewer ?? null];
    return toPageOfUser(await this.database.query<OfUser>(CREATED, values), page.start);
  }

  /** Events a user has joined, visible to `viewer`; undefined when the user is not found. */
  async joinedBy(
    userId: number,
    kind: ParticipationKind,
    status: EventStatus,
    now: Date,
    viewer: number | undefined,
    page: PageQuery,
  ): Promise<Page<EventRow> | undefined> {
    const rows = await this.database.query<OfUser>(JOINED[kind][status ?? 'all'], [
      ...[page.count, page.start, userId, viewer ?? null],
      ...(status === undefined ? [] : [now.toISOString()]),
    ]);
    return toPageOfUser(rows, page.start);
  }
}
