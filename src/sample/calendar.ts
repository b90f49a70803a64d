import {
  Almanac,
  timeWriter,
  type RelativeDay,
  type RelativeEnd,
  type RelativeTime,
} from './relative-times';

/** A city of the sample, as the calendar needs it. */
export interface SampleCity {
  readonly id: string;
  readonly time_zone: string;
}

/** An event of the sample: what the importer takes, but for its times. */
export interface SampleEvent {
  readonly id: string;
  readonly loc_id: string;
  readonly begin_time: RelativeTime;
  readonly end_time: RelativeEnd;
}

/** Who goes to an event of the sample, or would like to; days are those of the event's city. */
export interface SampleParticipation {
  readonly event_id: string;
  readonly date: RelativeTime;
  readonly participate_date?: RelativeDay;
}

type Placed<T, Times extends keyof T> = Omit<T, Times> & Readonly<Record<Times, string>>;

/**
 * Puts the sample's events on days around the one on which it is loaded, by the clocks of their
 * cities, so that there is something today, at the weekend and later whenever that is. Seen from
 * another day the same records have other times: loading again moves them.
 */
export class SampleCalendar {
  private readonly almanacs: ReadonlyMap<string, Almanac>;
  private readonly events: ReadonlyMap<string, SampleEvent>;
  private readonly write: (moment: Date) => string;
  private readonly own: Almanac;

  /** @param timeZone of the service, in which records have their times (D1) */
  constructor(
    now: Date,
    timeZone: string,
    cities: readonly SampleCity[],
    events: readonly SampleEvent[],
  ) {
    this.write = timeWriter(timeZone);
    this.own = new Almanac(now, timeZone);
    this.events = new Map(events.map((event) => [event.id, event]));
    const zones = new Map(cities.map((city) => [city.id, city.time_zone]));
    const used = new Set(events.map((event) => event.loc_id));
    this.almanacs = new Map(
      [...used].map((id) => [id, new Almanac(now, zones.get(id) ?? timeZone)]),
    );
  }

  /** A day `yyyy-MM-dd` in the service's own time zone. */
  day(relative: RelativeDay): string {
    return this.own.day(relative);
  }

  /** The event as the importer takes it. */
  event(event: SampleEvent): Placed<SampleEvent, 'begin_time' | 'end_time'> {
    const almanac = this.almanacOf(event.id);
    return {
      ...event,
      begin_time: this.write(almanac.begin(event.begin_time)),
      end_time: this.write(almanac.end(event.begin_time, event.end_time)),
    };
  }

  /** The participation as the importer takes it. */
  participation(
    participation: SampleParticipation,
  ): Placed<SampleParticipation, 'date' | 'participate_date'> {
    const almanac = this.almanacOf(participation.event_id);
    const { participate_date: day } = participation;
    return {
      ...participation,
      date: this.write(almanac.begin(participation.date)),
      participate_date: day ? almanac.day(day) : '',
    };
  }

  private almanacOf(eventId: string): Almanac {
    const event = this.events.get(eventId);
    const almanac = event && this.almanacs.get(event.loc_id);
    if (!almanac) throw new Error(`the sample has no event ${eventId}`);
    return almanac;
  }
}
