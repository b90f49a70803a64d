import { Controller, Get, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { Cached, IdParam, Public, RespondsPage } from '../../api/routing/route';
import { WireContext } from '../../api/resources/wire-types';
import { type CityKey } from '../../cities/cities.repository';
import { CitiesService } from '../../cities/cities.service';
import { Settings } from '../../config/settings';
import { CALENDAR_TYPE, eventFile } from '../../events/calendar';
import { DAY_TYPES } from '../../events/day-types';
import { EVENT_TYPES } from '../../events/event-types';
import { EventUser } from '../../events/events.resources';
import { EventsService } from '../../events/events.service';
import { htmlText } from '../../text/html-text';
import { shorten } from '../../text/shorten';
import { MAX_LISTED_NAME } from '../../web/record-components';
import { emptyState } from '../../web/components';
import { html, type Html } from '../../web/html';
import { navLink, PATHS } from '../../web/layout';
import { sendCacheable } from '../../web/page-response';
import { GoneInterceptor } from '../gone.interceptor';
import { EVENT_PAGE, eventKey, RELATED_MS } from '../pages.cache';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { withQuery } from '../../web/with-query';
import {
  listPage,
  listPages,
  queryText,
  SitePages,
  siteReader,
  type SiteReader,
} from '../site-pages.service';
import { withoutEmpty } from '../structured-data';
import { PopularService } from '../home/popular.service';
import { eventBody } from './event.body';
import { LocalTimes } from './local-times.service';
import { eventCards, placeOf, type EventJson, type EventTimes } from './event.pages';

/** Events of a city, with the event whose page shows them. */
const OTHERS = { start: 0, count: 7 };

type Words = SiteReader['words']['event'];

/** A choice of a list of events; `undefined` is no filter. */
interface Choice {
  readonly loc: string | undefined;
  readonly day_type: string | undefined;
  readonly type: string | undefined;
}

/** Pages of local events. They show public events alone. */
@UseGuards(SitePageGuard)
@UseInterceptors(GoneInterceptor)
@Controller('event')
export class EventPagesController {
  constructor(
    private readonly events: EventsService,
    private readonly cities: CitiesService,
    private readonly popular: PopularService,
    private readonly times: LocalTimes,
    private readonly settings: Settings,
    private readonly context: WireContext,
    private readonly site: SitePages,
  ) {}

  @Get('list')
  @Public()
  @RespondsPage()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = siteReader(request);
    const { event: words } = reader.words;
    const known = (name: string, values: object): string | undefined => {
      const value = queryText(request, name);
      return value !== undefined && Object.hasOwn(values, value) ? value : undefined;
    };
    const choice: Choice = {
      loc: queryText(request, 'loc'),
      day_type: known('day_type', DAY_TYPES),
      type: known('type', { ...EVENT_TYPES, others: 0 }),
    };
    const page = listPage(request);
    const [found, city, home, cities] = await Promise.all([
      this.events.list({ ...choice, radius: 0 }, page, ANONYMOUS),
      choice.loc === undefined ? undefined : this.cities.byKey(choice.loc),
      this.cities.find(this.settings.DEFAULT_CITY),
      this.popular.listCities(),
    ]);
    const { events } = await this.times.of(found.items);
    const title = this.titleOf(words, choice, city);
    const path = withQuery(PATHS.events, { ...choice });
    const loc = city?.uid;
    await this.site.send(request, response, reader, {
      title,
      indexed: events.length > 0,
      description: [title, ...events.slice(0, 4).map(({ event }) => event.title)].join(' · '),
      path: withQuery(PATHS.events, {
        ...choice,
        start: page.start > 0 ? String(page.start) : undefined,
      }),
      area: PATHS.events,
      image: events[0]?.event['image-hlarge'],
      feeds:
        loc === undefined
          ? []
          : [
              {
                title: reader.words.feed.events(city?.name ?? ''),
                path: `/event/city/${loc}/events.atom`,
              },
            ],
      json: withQuery('/v2/event/list', { ...choice }),
      body: html`<h1>${title}</h1>
        ${this.filters(words, choice, [home, ...cities, city])}
        ${events.length > 0 ? eventCards(reader, events) : found.total === 0 && emptyState(words.none)}
        ${listPages(reader, { ...page, total: found.total }, PATHS.events, { ...choice })}
        ${path !== PATHS.events && html`<p><a href="${PATHS.events}">${words.resetFilters}</a></p>`}`,
    });
  }

  /** Names city, days and type of a list. */
  private titleOf(words: Words, choice: Choice, city: CityKey | undefined): string {
    const labels: Readonly<Record<string, string>> = { ...words.days, ...words.types };
    const chosen = [choice.day_type, choice.type].filter(
      (one) => one !== undefined && one !== 'all' && one !== 'future',
    );
    const title = city ? words.eventsIn(shorten(city.name, MAX_LISTED_NAME)) : words.events;
    return [title, ...chosen.map((one) => labels[one ?? ''] ?? '')].join(' · ');
  }

  /** Other events of the city of an event. */
  private async othersIn({ id, loc_id: loc }: EventJson): Promise<EventTimes[]> {
    const found = await this.events.list({ loc, radius: 0 }, OTHERS, ANONYMOUS);
    const { events } = await this.times.of(found.items);
    return events.filter(({ event }) => event.id !== id).slice(0, OTHERS.count - 1);
  }

  private filters(words: Words, choice: Choice, cities: readonly (CityKey | undefined)[]): Html {
    const link = (change: Partial<Choice>, label: string, current: boolean): Html =>
      navLink({ href: withQuery(PATHS.events, { ...choice, ...change }), label, current });
    const byUid = new Map(cities.flatMap((city) => (city ? [[city.uid, city] as const] : [])));
    const isOf = ({ id, uid }: CityKey): boolean => choice.loc === uid || choice.loc === String(id);
    return html`<div class="filters">
      <nav aria-label="${words.city}">
        ${link({ loc: undefined }, words.allCities, choice.loc === undefined)}
        ${[...byUid.values()].map((city) => link({ loc: city.uid }, shorten(city.name, MAX_LISTED_NAME), isOf(city)))}
      </nav>
      <nav aria-label="${words.time}">
        ${Object.entries(words.days).map(([day, label]) => {
          const day_type = day === 'future' ? undefined : day;
          return link({ day_type }, label, choice.day_type === day_type);
        })}
      </nav>
      <nav aria-label="${words.type}">
        ${Object.entries(words.types).map(([name, label]) => {
          const type = name === 'all' ? undefined : name;
          return link({ type }, label, choice.type === type);
        })}
      </nav>
    </div>`;
  }

  @Get(':id')
  @Cached(EVENT_PAGE)
  @Public()
  @RespondsPage()
  async event(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const [row, users] = await Promise.all([
      this.events.getEvent(id, ANONYMOUS),
      this.events.usersOf(id, 'participate', { start: 0, count: 24 }, ANONYMOUS),
    ]);
    const {
      events: [one],
      cities: [city],
    } = await this.times.of([row]);
    if (!one) throw new ApiError('uriNotFound');
    const { event } = one;
    // The page remains when its city was deleted; the list of a deleted city is not found.
    const others = city ? await this.othersIn(event) : [];
    const text = htmlText(event.content);
    const place = { lat: row.lat, lon: row.lon };
    await this.site.send(request, response, reader, {
      title: event.title,
      description:
        text || reader.words.event.describe(event.title, event.loc_name, event.begin_time),
      path: to.event(id),
      area: PATHS.events,
      image: event.image,
      json: `/v2/event/${id}`,
      data: [
        withoutEmpty({
          '@type': 'Event',
          '@id': event.alt,
          url: event.alt,
          name: event.title,
          description: text,
          image: event['image-hlarge'],
          startDate: new Date(row.begins * 1000).toISOString(),
          endDate: new Date(row.ends * 1000).toISOString(),
          eventStatus: 'https://schema.org/EventScheduled',
          organizer: { '@type': 'Person', name: event.owner.name, url: event.owner.alt },
          location: withoutEmpty({
            '@type': 'Place',
            name: event.address || event.loc_name,
            address: placeOf(event),
            geo:
              place.lat === null
                ? undefined
                : { '@type': 'GeoCoordinates', latitude: place.lat, longitude: place.lon },
          }),
        }),
      ],
      dependsOn: others.map((other) => eventKey(other.event.id)),
      maxAge: RELATED_MS,
      body: eventBody(reader, {
        ...{ one, place, text, others },
        city: city?.uid,
        participants: users.items.map((user) => this.site.json(EventUser, user)),
      }),
    });
  }

  /** The event for the visitor's calendar. It counts as a page, unlike the same file of the API. */
  @Get(':id/calendar.ics')
  @Public()
  @RespondsPage()
  async calendar(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const { name, body } = eventFile(await this.events.getEvent(id, ANONYMOUS), this.context);
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    response.setHeader('Cache-Control', 'no-cache');
    await sendCacheable(request, response, body, CALENDAR_TYPE);
  }
}
