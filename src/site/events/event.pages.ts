import { type Wire } from '../../api/resources/resource';
import { type Event } from '../../events/events.resources';
import { html, type Html, type Piece } from '../../web/html';
import { cover, highlighted, inOwnLanguage } from '../../web/record-components';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';

export type EventJson = Wire<typeof Event>;

/** An event with its time in seconds since 1970, and the time zone of its city (IANA). */
export interface EventTimes {
  readonly event: EventJson;
  readonly begins: number;
  readonly ends: number;
  readonly zone: string;
  /** Name of its type, one of `EVENT_TYPES`; others have any text. */
  readonly category: string;
}

/** City and address; many addresses begin with the city. */
export const placeOf = ({
  loc_name: city,
  address,
}: Pick<EventJson, 'loc_name' | 'address'>): string =>
  address.startsWith(city) ? address : [city, address].filter((part) => part !== '').join(' ');

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

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

/** Seconds of a day. */
const DAY_SECONDS = 86_400;

/**
 * When an event in a list is: day and time of one that is shorter than a day, else the days alone. A
 * night is named by the day on which it begins. The year is omitted if it is the present one.
 */
function shortSpan(
  { words }: SiteReader,
  { begins, ends }: Pick<EventTimes, 'begins' | 'ends'>,
  timeZone: string,
): Piece {
  const from = new Date(begins * 1000);
  const until = new Date(ends * 1000);
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const isShort = days.format(from) === days.format(until) || ends - begins < DAY_SECONDS;
  const years = [from, until].map((date) => days.format(date).slice(0, 4));
  const year = years.every((one) => one === days.format(new Date()).slice(0, 4))
    ? undefined
    : ('numeric' as const);
  const format = new Intl.DateTimeFormat(words.lang, {
    ...{ timeZone, ...DAY, year, ...(isShort ? TIME : {}) },
  });
  const range = (): string => {
    const parts = format.formatRangeToParts(from, until);
    const time = parts.findIndex(({ type, source }) => source === 'endRange' && type === 'hour');
    const isShown = ({ source }: Intl.DateTimeRangeFormatPart, at: number): boolean =>
      !isShort || source !== 'endRange' || at >= time;
    return parts
      .filter(isShown)
      .map(({ value }) => value)
      .join('');
  };
  return html`<time datetime="${from.toISOString()}"
    ><b>${ends > begins ? range() : format.format(from)}</b></time
  >`;
}

/** The month and day on which an event begins, as a leaf of a calendar; the time is beside it. */
export function calendarLeaf({ words }: SiteReader, begins: number, timeZone: string): Html {
  const date = new Date(begins * 1000);
  const part = (options: Intl.DateTimeFormatOptions): string =>
    date.toLocaleDateString(words.lang, { timeZone, ...options });
  const day = new Intl.DateTimeFormat('en', { timeZone, day: 'numeric' }).format(date);
  return html`<span class="leaf" aria-hidden="true"
    ><b>${part({ month: 'short' })}</b><span>${day}</span></span
  >`;
}

/**
 * Events with their posters, in the time of their cities.
 * @param marked words of a search, which are marked in the titles
 */
export const eventCards = (
  reader: SiteReader,
  events: readonly EventTimes[],
  marked?: string,
): Html =>
  html`<ul class="events">
    ${events.map(
      ({ event, zone, ...times }) =>
        html`<li>
          <a href="${to.event(event.id)}"
            >${cover({ src: event['image-lmobile'], alt: '', name: event.title, shape: 'event' })}<span
              ><span class="title">${highlighted(event.title, marked)}</span
              ><span class="by">${shortSpan(reader, times, zone)}</span
              ><span class="by">${inOwnLanguage(placeOf(event))}</span
              ><span class="by"
                >${reader.words.event.participants(reader.number(event.participant_count))}</span
              ></span
            ></a
          >
        </li>`,
    )}
  </ul>`;
