import {
  RelativeTimeResolver,
  timeWriter,
  type RelativeDay,
  type RelativeEnd,
  type RelativeTime,
} from './relative-times';

/** A city of the sample. */
export interface SampleCity {
  readonly id: string;
  readonly time_zone: string;
}

/** An event of the sample: an import record with relative times. */
export interface SampleEvent {
  readonly id: string;
  readonly loc_id: string;
  readonly begin_time: RelativeTime;
  readonly end_time: RelativeEnd;
}

/** A participation of the sample with relative days in the time zone of the event's city. */
export interface SampleParticipation {
  readonly event_id: string;
  readonly date: RelativeTime;
  readonly participate_date?: RelativeDay;
}

type Placed<T, Times extends keyof T> = Omit<T, Times> & Readonly<Record<Times, string>>;

/**
 * Places the sample's events on days relative to the load, in the time zones of their cities. There
 * are always events today, at the weekend and later. Loading again moves them.
 */
export class SampleCalendar {
  private readonly almanacs: ReadonlyMap<string, RelativeTimeResolver>;
  private readonly events: ReadonlyMap<string, SampleEvent>;
  private readonly write: (moment: Date) => string;
  private readonly own: RelativeTimeResolver;

  /** @param timeZone time zone of the service, for the times of records (D1) */
  constructor(
    now: Date,
    timeZone: string,
    cities: readonly SampleCity[],
    events: readonly SampleEvent[],
  ) {
    this.write = timeWriter(timeZone);
    this.own = new RelativeTimeResolver(now, timeZone);
    this.events = new Map(events.map((event) => [event.id, event]));
    const zones = new Map(cities.map((city) => [city.id, city.time_zone]));
    const used = new Set(events.map((event) => event.loc_id));
    this.almanacs = new Map(
      [...used].map((id) => [id, new RelativeTimeResolver(now, zones.get(id) ?? timeZone)]),
    );
  }

  /** A day `yyyy-MM-dd` in the service's own time zone. */
  day(relative: RelativeDay): string {
    return this.own.day(relative);
  }

  /** The event as an import record. */
  event(event: SampleEvent): Placed<SampleEvent, 'begin_time' | 'end_time'> {
    const almanac = this.almanacOf(event.id);
    return {
      ...event,
      begin_time: this.write(almanac.begin(event.begin_time)),
      end_time: this.write(almanac.end(event.begin_time, event.end_time)),
    };
  }

  /** The participation as an import record. */
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

  private almanacOf(eventId: string): RelativeTimeResolver {
    const event = this.events.get(eventId);
    const almanac = event && this.almanacs.get(event.loc_id);
    if (!almanac) throw new Error(`the sample has no event ${eventId}`);
    return almanac;
  }
}
