import ical, { ICalEventClass } from 'ical-generator';
import { type FileAnswer } from '../api/http/request-context';
import { type WireContext } from '../api/resources/resource';
import { htmlText } from '../text/html-text';
import { type EventRow } from './events.rows';

/** What a calendar with several events is called; titles of users would not be escaped there. */
const NAME = 'Commonplace events';

const instant = (seconds: number): Date => new Date(seconds * 1000);
const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** The step of six decimals, as RFC 5545 (3.8.1.6) has them: eleven centimetres. */
const STEP = 0.000001;

/** Degrees to six decimals, without an exponent. The library leaves out a place at 0: it is at the next step. */
const degrees = (value: number): number => Number(value.toFixed(6)) || STEP;

/** When entries began to be counted: revisions are numbered by the seconds since (RFC 5545). */
const FIRST = Date.UTC(2020, 0, 1) / 1000;

function placeOf({ address, lat, lon }: EventRow) {
  const title = lines(address);
  const geo = lat === null || lon === null ? undefined : { lat: degrees(lat), lon: degrees(lon) };
  if (title !== '') return { title, ...(geo ? { geo } : {}) };
  return geo ? { geo } : undefined;
}

/** Events as a calendar that programs subscribe to or keep (RFC 5545), times in UTC. */
function calendarOf(events: readonly EventRow[], { baseUrl, webUrl }: WireContext): string {
  const { host } = new URL(baseUrl);
  const calendar = ical({
    name: NAME,
    prodId: { company: 'Commonplace', product: 'Events', language: 'EN' },
  });
  for (const event of events) {
    const entry = calendar.createEvent({
      // The same event is the same entry wherever it is met.
      id: `event-${event.id}@${host}`,
      start: instant(event.begins),
      // An end must be later than the beginning; without one the event takes no time.
      end: event.ends > event.begins ? instant(event.ends) : undefined,
      stamp: instant(event.updated),
      sequence: Math.max(0, Math.floor(event.updated - FIRST)),
      lastModified: instant(event.updated),
      summary: lines(event.title),
      description: htmlText(event.content),
      url: `${webUrl}/event/${event.id}/`,
      categories: event.category === 'others' ? [] : [{ name: lines(event.category) }],
      class: event.private ? ICalEventClass.PRIVATE : ICalEventClass.PUBLIC,
    });
    const place = placeOf(event);
    if (place) entry.location(place);
  }
  return `${calendar.toString()}\r\n`;
}

/** One event as a file. */
export const eventFile = (event: EventRow, context: WireContext): FileAnswer => ({
  name: `event-${event.id}.ics`,
  body: calendarOf([event], context),
});

/**
 * UTF-16 units of descriptions in one file at most. Lines that are folded and characters of several
 * bytes make a file longer, at most fourfold: it stays within the bound of every response (D41).
 */
const MAX_DESCRIPTIONS = 2_000_000;

/** The first events, whose descriptions have room in one file. */
function withinBounds(events: readonly EventRow[]): readonly EventRow[] {
  let length = 0;
  const end = events.findIndex(({ content }) => (length += content.length) > MAX_DESCRIPTIONS);
  return end < 0 ? events : events.slice(0, end);
}

/** A page of events as a file. */
export const eventsFile = (events: readonly EventRow[], context: WireContext): FileAnswer => ({
  name: 'events.ics',
  body: calendarOf(withinBounds(events), context),
});
