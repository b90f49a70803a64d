import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { type FileResponse } from '../api/http/rendered-body';
import { QueryInput } from '../api/input/input';
import { type PageQuery } from '../api/resources/page';
import { WireContext } from '../api/resources/resource';
import {
  Errors,
  CurrentCaller,
  ExpensiveRoute,
  Extension,
  IdParam,
  Paging,
  RespondsFile,
  RequireScope,
  OperationId,
  Summary,
} from '../api/routing/route';
import { CALENDAR_TYPE, eventFile, eventsFile } from './calendar';
import { EventsInput } from './events.input';
import { EventsService } from './events.service';

/**
 * Events as iCalendar (RFC 5545), in addition to the specification; fixed paths precede paths with
 * parameters.
 */
@Controller('v2/event')
export class CalendarsController {
  constructor(
    private readonly events: EventsService,
    private readonly context: WireContext,
  ) {}

  @Get('list.ics')
  @Extension()
  @ExpensiveRoute('list')
  @RequireScope('event_basic_r')
  @RespondsFile(CALENDAR_TYPE)
  @Errors('uriNotFound')
  @OperationId('getEventListCalendar')
  @Summary('The list of events as a calendar')
  async list(
    @QueryInput(EventsInput) input: EventsInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<FileResponse> {
    return eventsFile((await this.events.list(input, page, caller)).items, this.context);
  }

  @Get(':id.ics')
  @Extension()
  @RequireScope('event_basic_r')
  @RespondsFile(CALENDAR_TYPE)
  @OperationId('getEventCalendar')
  @Summary('An event as a calendar entry')
  async getEventCalendar(
    @IdParam('id') id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<FileResponse> {
    return eventFile(await this.events.getEvent(id, caller), this.context);
  }
}
