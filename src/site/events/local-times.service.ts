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
    const ids = new Set(events.map(({ event }) => Number(event.loc_id)));
    const cities = await this.cities.listKeys([...ids]);
    const byId = new Map(cities.map((city) => [city.id, city]));
    return {
      events: events.map(({ row: { begins, ends, category }, event }) => ({
        ...{ event, begins, ends, category },
        zone: byId.get(Number(event.loc_id))?.time_zone ?? this.settings.TIME_ZONE,
      })),
      cities,
    };
  }
}
