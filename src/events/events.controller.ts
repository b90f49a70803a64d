import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { QueryInput } from '../api/input/input';
import { MISSING_MEMBER } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Errors,
  Cached,
  CurrentCaller,
  IdParam,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
} from '../api/routing/route';
import { type UserRow } from '../users/users.resources';
import { EventsInput, UserEventsInput } from './events.input';
import { Event, EventUser } from './events.resources';
import { type EventRow } from './events.rows';
import { EventsService } from './events.service';
import { EVENT_BY_ID, USERS_OF_EVENT } from './events.cache';

/** Reads of events. Fixed paths precede paths with parameters. */
@Controller('v2/event')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get('list')
  @RequireScope('event_basic_r')
  @RespondsList('events', Event, { after: MISSING_MEMBER })
  @Errors('uriNotFound')
  @OperationId('listEvents')
  @Summary('Events that are not over, by begin time, or events by their ids')
  list(
    @QueryInput(EventsInput) input: EventsInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<EventRow>> {
    return this.events.list(input, page, caller);
  }

  @Get('user_created/:id')
  @RequireScope('event_basic_r')
  @RespondsList('events', Event)
  @OperationId('listEventsCreatedByUser')
  @Summary('Events that a user made')
  createdBy(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<EventRow>> {
    return this.events.createdBy(id, page, caller);
  }

  @Get('user_participated/:id')
  @RequireScope('event_basic_r')
  @RespondsList('events', Event)
  @OperationId('listEventsParticipatedByUser')
  @Summary('Events that a user takes part in')
  participatedBy(
    @IdParam('id') id: number,
    @QueryInput(UserEventsInput) { status }: UserEventsInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<EventRow>> {
    return this.events.joinedBy(id, 'participate', status, page, caller);
  }

  @Get('user_wished/:id')
  @RequireScope('event_basic_r')
  @RespondsList('events', Event)
  @OperationId('listEventsWishedByUser')
  @Summary('Events that a user is interested in')
  wishedBy(
    @IdParam('id') id: number,
    @QueryInput(UserEventsInput) { status }: UserEventsInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<EventRow>> {
    return this.events.joinedBy(id, 'wish', status, page, caller);
  }

  @Get(':id')
  @Cached(EVENT_BY_ID)
  @RequireScope('event_basic_r')
  @Responds(Event)
  @OperationId('getEvent')
  @Summary('An event by its id')
  getEvent(@IdParam('id') id: number, @CurrentCaller() caller: Caller): Promise<EventRow> {
    return this.events.getEvent(id, caller);
  }

  @Get(':id/participants')
  @Cached(USERS_OF_EVENT)
  @RequireScope('event_basic_r')
  @RespondsList('users', EventUser)
  @OperationId('listEventParticipants')
  @Summary('Who takes part in an event, newest first')
  participants(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<UserRow>> {
    return this.events.usersOf(id, 'participate', page, caller);
  }

  @Get(':id/wishers')
  @Cached(USERS_OF_EVENT)
  @RequireScope('event_basic_r')
  @RespondsList('users', EventUser)
  @OperationId('listEventWishers')
  @Summary('Who is interested in an event, newest first')
  wishers(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<UserRow>> {
    return this.events.usersOf(id, 'wish', page, caller);
  }
}
