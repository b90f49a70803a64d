import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { Clock } from '../api/clock';
import { CitiesModule } from '../cities/cities.module';
import { CalendarsController } from './calendars.controller';
import { EventListsRepository } from './event-lists.repository';
import { EventPagesRepository } from './event-pages.repository';
import { EventsController } from './events.controller';
import { EventsRepository } from './events.repository';
import { EventsService } from './events.service';
import { ParticipationsController } from './participations.controller';
import { ParticipationsRepository } from './participations.repository';

/** Local events and participations (specification section 4.4). */
@Module({
  imports: [ApiModule, CitiesModule],
  controllers: [CalendarsController, EventsController, ParticipationsController],
  providers: [
    Clock,
    EventsRepository,
    EventListsRepository,
    ParticipationsRepository,
    EventsService,
    EventPagesRepository,
  ],
  exports: [Clock, EventsService, EventPagesRepository],
})
export class EventsModule {}
