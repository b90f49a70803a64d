import { Injectable } from '@nestjs/common';
import { type CityKey } from '../../cities/cities.repository';
import { CitiesService } from '../../cities/cities.service';
import { Settings } from '../../config/settings';
import { Event } from '../../events/events.resources';
import { type EventRow } from '../../events/events.rows';
import { SitePages } from '../site-pages.service';
import { type EventTimes } from './event.pages';

/** Events with the time zones of their cities, and these cities. */
export interface LocalEvents {
  readonly events: readonly EventTimes[];
  /** Cities with most of the events first. */
  readonly cities: readonly CityKey[];
}

/** Reads the time zones of events: each event is shown in the time of its city. */
@Injectable()
export class LocalTimes {
  constructor(
    private readonly cities: CitiesService,
    private readonly settings: Settings,
    private readonly site: SitePages,
  ) {}

  async of(rows: readonly EventRow[]): Promise<LocalEvents> {
    const events = rows.map((row) => ({ row, event: this.site.json(Event, row) }));
    const numbers = new Map<number, number>();
    for (const { event } of events) {
      const id = Number(event.loc_id);
      numbers.set(id, (numbers.get(id) ?? 0) + 1);
    }
    const found = await this.cities.listKeys([...numbers.keys()]);
    const byId = new Map(found.map((city) => [city.id, city]));
    const frequency = ({ id }: CityKey): number => numbers.get(id) ?? 0;
    return {
      events: events.map(({ row: { begins, ends, category }, event }) => ({
        ...{ event, begins, ends, category },
        zone: byId.get(Number(event.loc_id))?.time_zone ?? this.settings.TIME_ZONE,
      })),
      cities: found.toSorted((one, other) => frequency(other) - frequency(one)),
    };
  }
}
