import ical, { ICalEventClass } from 'ical-generator';
import { type FileResponse } from '../api/http/rendered-body';
import { type WireContext } from '../api/resources/resource';
import { htmlText } from '../text/html-text';
import { storable } from '../text/storable';
import { type EventRow } from './events.rows';
import { foldedLines } from './folded-lines';

/** Type of the files. */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/**
 * Name of a calendar with several events. It contains no user text, because that would not be
 * escaped.
 */
const NAME = 'Commonplace events';

/** First and last second in UTC of the years 1 to 9999: RFC 5545 has no others. */
const FIRST_SECOND = Date.parse('0001-01-01T00:00:00Z') / 1000;
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** In UTC, the first and last hours of other time zones are in the years 0 and 10000. */
const withinYears = (seconds: number): number =>
  Math.min(Math.max(seconds, FIRST_SECOND), LAST_SECOND);

const instant = (seconds: number): Date => new Date(seconds * 1000);
const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** Step of six decimals as in RFC 5545 (3.8.1.6): eleven centimeters. */
const STEP = 0.000001;

/**
 * Degrees to six decimals, without an exponent. The library omits a coordinate of 0, so it moves by
 * one step.
 */
const degrees = (value: number): number => Number(value.toFixed(6)) || STEP;

/** Epoch of revision numbers, which count seconds (RFC 5545). */
const FIRST = Date.UTC(2020, 0, 1) / 1000;

function placeOf({ address, lat, lon }: EventRow) {
  const title = lines(address);
  const geo = lat === null || lon === null ? undefined : { lat: degrees(lat), lon: degrees(lon) };
  if (title !== '') return { title, ...(geo ? { geo } : {}) };
  return geo ? { geo } : undefined;
}

/** Last line of a calendar. */
const END = 'END:VCALENDAR';

/** Events as an iCalendar file (RFC 5545) with times in UTC. */
function calendarOf(events: readonly EventRow[], { baseUrl, webUrl }: WireContext): string {
  const { host } = new URL(baseUrl);
  const calendar = ical({
    name: NAME,
    prodId: { company: 'Commonplace', product: 'Events', language: 'EN' },
  });
  // Its lines are folded before the events are added to it, because its own folding is slow.
  const [begin = '', end = ''] = calendar.toString().split(END);
  let entries = '';
  for (const event of events) {
    const [begins, ends] = [withinYears(event.begins), withinYears(event.ends)];
    const entry = calendar.createEvent({
      // A stable id, so that clients recognize the event in other calendars.
      id: `event-${event.id}@${host}`,
      start: instant(begins),
      // An end must be later than the beginning; an event without an end has no duration.
      end: ends > begins ? instant(ends) : undefined,
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
    entries += entry.toString();
  }
  // RFC 5545 (3.1) permits no control characters in texts.
  return `${begin}${foldedLines(storable(entries))}${END}${end}\r\n`;
}

/** One event as a file. */
export const eventFile = (event: EventRow, context: WireContext): FileResponse => ({
  name: `event-${event.id}.ics`,
  body: calendarOf([event], context),
});

/**
 * Maximum length of all descriptions in a file in UTF-16 units. Line folding and multibyte
 * characters make a file at most four times longer, which is below the limit of responses (D41).
 */
const MAX_DESCRIPTIONS = 2_000_000;

/** The first events whose descriptions fit into one file. */
function withinBounds(events: readonly EventRow[]): readonly EventRow[] {
  let length = 0;
  const end = events.findIndex(({ content }) => (length += content.length) > MAX_DESCRIPTIONS);
  return end < 0 ? events : events.slice(0, end);
}

/** A page of events as a file. */
export const eventsFile = (events: readonly EventRow[], context: WireContext): FileResponse => ({
  name: 'events.ics',
  body: calendarOf(withinBounds(events), context),
});
