import { EnumParam, Coordinates, Decimal, Text } from '../api/input/input';
import { IdListParam } from '../api/input/list-params';
import { Day } from '../api/input/time-params';
import { DAY_TYPES } from './day-types';
import { EVENT_TYPES } from './event-types';
import { type Place } from './near';

/** Names of event types with their numbers. */
const NUMBERS = Object.fromEntries(
  Object.entries(EVENT_TYPES).map(([word, number]) => [String(number), word]),
);

/** Default and maximum radius in kilometers. */
const RADIUS = 10;
const MAX_RADIUS = 500;

/** Filters of the list of events (specification section 4.4, D39). */
export class EventsInput {
  @Text({ about: 'Id or uid of a city; all cities when absent.' })
  loc?: string;

  @EnumParam(Object.keys(DAY_TYPES), {
    about: `Events of these days that are not over, in the time zone of their city; weeks begin on
      Monday. Absent or future: every event that is not over.`.replace(/\s+/g, ' '),
  })
  day_type?: string;

  @EnumParam(['all', ...Object.keys(EVENT_TYPES), 'others'], {
    aliases: NUMBERS,
    about: 'A type by word or number; others: none of the nine.',
  })
  type?: string;

  @IdListParam({
    extension: true,
    about:
      'Ids of up to 100 events, separated by commas: these events, and no other parameter applies.',
  })
  ids?: readonly string[];

  @Coordinates({
    extension: true,
    about: 'Latitude and longitude in decimal degrees: events around this place.',
  })
  near?: Place;

  @Decimal({
    min: 0,
    max: MAX_RADIUS,
    extension: true,
    about: 'Kilometers around the place of near.',
  })
  radius: number = RADIUS;
}

/** Filter of a user's events (specification section 4.4). */
export class UserEventsInput {
  @EnumParam(['ongoing', 'expired'], { about: 'ongoing: not over yet; all of them when absent.' })
  status?: 'ongoing' | 'expired';
}

/** A participation as written by its user (specification section 4.4). */
export class ParticipationWrite {
  @Day({ about: 'Day on which the user will come, as yyyy-MM-dd; undetermined when absent.' })
  participate_date?: string;
}
