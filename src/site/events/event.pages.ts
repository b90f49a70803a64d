import { type Wire } from '../../api/resources/resource';
import { type Event } from '../../events/events.resources';
import { type EventRow } from '../../events/events.rows';
import { html, type Html, type Piece } from '../../web/html';
import { avatar, cover, highlighted, inOwnLanguage } from '../../web/works';
import { type UserJson } from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';

export type EventJson = Wire<typeof Event>;

/** An event with its time in seconds since 1970. */
export interface EventTimes {
  readonly event: EventJson;
  readonly begins: number;
  readonly ends: number;
}

export const timesOf = (event: EventJson, { begins, ends }: EventRow): EventTimes => ({
  event,
  begins,
  ends,
});

/** City and address; many addresses begin with the city. */
export const placeOf = ({
  loc_name: city,
  address,
}: Pick<EventJson, 'loc_name' | 'address'>): string =>
  address.startsWith(city) ? address : [city, address].filter((part) => part !== '').join(' ');

/** When an event is, in a time zone (IANA). An event within a day names the day once. */
export function span(
  { words }: SiteReader,
  { begins, ends }: Pick<EventTimes, 'begins' | 'ends'>,
  timeZone: string,
): Piece {
  const format = new Intl.DateTimeFormat(words.lang, {
    ...{ timeZone, dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' },
  });
  const from = new Date(begins * 1000);
  const until = new Date(ends * 1000);
  return html`<time datetime="${from.toISOString()}"
    >${ends > begins ? format.formatRange(from, until) : format.format(from)}</time
  >`;
}

/**
 * Events with their posters.
 * @param zone time zone of the times
 * @param marked words of a search, which are marked in the titles
 */
export const eventCards = (
  reader: SiteReader,
  events: readonly EventTimes[],
  zone: string,
  marked?: string,
): Html =>
  html`<ul class="events">
    ${events.map(
      ({ event, begins, ends }) =>
        html`<li>
          <a href="${to.event(event.id)}"
            >${cover({ src: event['image-lmobile'], alt: '', shape: 'event' })}<span
              ><span class="title"
                >${marked === undefined ? inOwnLanguage(event.title) : highlighted(event.title, marked)}</span
              ><span class="by">${span(reader, { begins, ends }, zone)}</span
              ><span class="by">${inOwnLanguage(placeOf(event))}</span
              ><span class="by"
                >${reader.words.event.participants(reader.number(event.participant_count))}</span
              ></span
            ></a
          >
        </li>`,
    )}
  </ul>`;

/** Users with their pictures. */
export const userList = (users: readonly UserJson[]): Html =>
  html`<ul class="users">
    ${users.map(
      ({ uid, name, avatar: picture }) =>
        html`<li>
          <a href="${to.person(uid)}">${avatar(picture, 'small')}${inOwnLanguage(name || uid)}</a>
        </li>`,
    )}
  </ul>`;
