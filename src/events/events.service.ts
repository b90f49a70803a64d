import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { Clock } from '../api/clock';
import { ApiError } from '../api/errors/error-codes';
import { requestedIds, pageOfRequested } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { CitiesService } from '../cities/cities.service';
import { DAY_TYPES } from './day-types';
import { EventListsRepository } from './event-lists.repository';
import { EVENT_TYPES, OTHER_TYPE } from './event-types';
import { type EventsInput } from './events.input';
import { EventsRepository } from './events.repository';
import { type EventRow, type ParticipationKind, type UsersOfEvent } from './events.rows';
import { type TransactionHooks } from '../database/database';
import { type EventStatus } from './participation-lists.sql';
import { ParticipationsRepository, type NewParticipation } from './participations.repository';

const unknown = (what: string): ApiError =>
  new ApiError('uriNotFound', { detail: `${what} not found` });

/** Number of a type; undefined for all types. */
const typeOf = (word: string | undefined): number | undefined =>
  word === undefined || word === 'all' ? undefined : (EVENT_TYPES[word] ?? OTHER_TYPE);

/**
 * Local events. A private event is visible to its owner and invited users only. For others it is
 * not found and not counted in totals (D38).
 */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly lists: EventListsRepository,
    private readonly participations: ParticipationsRepository,
    private readonly cities: CitiesService,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 1001 when the event is not found (D38) */
  async getEvent(id: number, caller: Caller): Promise<EventRow> {
    const event = await this.events.findEventById(id, caller.user?.id);
    if (!event) throw unknown('event');
    return event;
  }

  /** Participants or interested users. @throws ApiError 1001 when the event is not found (D38) */
  async usersOf(
    id: number,
    kind: ParticipationKind,
    page: PageQuery,
    caller: Caller,
  ): Promise<UsersOfEvent> {
    const users = await this.events.usersOf(id, kind, caller.user?.id, page);
    if (!users) throw unknown('event');
    return users;
  }

  /**
   * Events that are not over, by begin time (D39), or with `ids` these events, in the order of the
   * request (D46). @throws ApiError 1001 when the city is not found
   */
  async list(input: EventsInput, page: PageQuery, caller: Caller): Promise<Page<EventRow>> {
    const { ids, loc, day_type, near, radius } = input;
    if (ids)
      return pageOfRequested(ids, await this.events.listByIds(requestedIds(ids), caller.user?.id));
    const city = loc === undefined ? undefined : await this.cities.byKey(loc);
    if (loc !== undefined && !city) throw unknown('city');
    const filter = {
      now: this.clock.now(),
      city: city?.id,
      days: DAY_TYPES[day_type ?? 'future'],
      type: typeOf(input.type),
      near: near && { ...near, radius },
    };
    return this.lists.list(filter, caller.user?.id, page);
  }

  /** Events that a user created. @throws ApiError 1001 when the user is not found (D38) */
  async createdBy(userId: number, page: PageQuery, caller: Caller): Promise<Page<EventRow>> {
    const events = await this.lists.createdBy(userId, caller.user?.id, page);
    if (!events) throw unknown('user');
    return events;
  }

  /**
   * Events that a user participates or is interested in. @throws ApiError 1001 when the user is not
   * found
   */
  async joinedBy(
    userId: number,
    kind: ParticipationKind,
    status: EventStatus,
    page: PageQuery,
    caller: Caller,
  ): Promise<Page<EventRow>> {
    const now = this.clock.now();
    const viewer = caller.user?.id;
    const events = await this.lists.joinedBy(userId, kind, status, now, viewer, page);
    if (!events) throw unknown('user');
    return events;
  }

  /**
   * Joins an event, optionally with a planned day.
   * @throws ApiError 1001 when the event is not found (D38)
   */
  async join(
    userId: number,
    id: number,
    wanted: NewParticipation,
    hooks?: TransactionHooks,
  ): Promise<object> {
    if (!(await this.participations.join(id, userId, wanted, hooks))) throw unknown('event');
    return {};
  }

  /** Leaves an event; idempotent. @throws ApiError 1001 when the event is not found (D38) */
  async leave(userId: number, id: number, kind: ParticipationKind): Promise<object> {
    if (!(await this.participations.leave(id, userId, kind))) throw unknown('event');
    return {};
  }
}
