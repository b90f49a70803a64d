import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access';
import { type FileAnswer } from '../api/frame';
import { QueryInput } from '../api/input';
import { type PageQuery } from '../api/page';
import { WireContext } from '../api/resource';
import {
  Calling,
  ExpensiveRoute,
  IdParam,
  Paging,
  RespondsFile,
  Scopes,
  Summary,
} from '../api/route';
import { eventFile, eventsFile } from './calendar';
import { EventsInput } from './events.input';
import { EventsService } from './events.service';

const CALENDAR = 'text/calendar; charset=utf-8';

/** Events for calendars (RFC 5545), beside the specification; paths with fixed words first. */
@Controller('v2/event')
export class CalendarsController {
  constructor(
    private readonly events: EventsService,
    private readonly context: WireContext,
  ) {}

  @Get('list.ics')
  @ExpensiveRoute('list')
  @Scopes('event_basic_r')
  @RespondsFile(CALENDAR)
  @Summary('The list of events as a calendar')
  async list(
    @QueryInput(EventsInput) input: EventsInput,
    @Paging() page: PageQuery,
    @Calling() caller: Caller,
  ): Promise<FileAnswer> {
    return eventsFile((await this.events.list(input, page, caller)).items, this.context);
  }

  @Get(':id.ics')
  @Scopes('event_basic_r')
  @RespondsFile(CALENDAR)
  @Summary('An event as a calendar entry')
  async byId(@IdParam('id') id: number, @Calling() caller: Caller): Promise<FileAnswer> {
    return eventFile(await this.events.byId(id, caller), this.context);
  }
}
