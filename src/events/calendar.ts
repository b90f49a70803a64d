import ical, { ICalEventClass } from 'ical-generator';
import { type FileAnswer } from '../api/frame';
import { type WireContext } from '../api/resource';
import { htmlText } from '../text/html-text';
import { type EventRow } from './events.rows';

/** What a calendar with several events is called; titles of users would not be escaped there. */
const NAME = 'Commonplace events';

const instant = (seconds: number): Date => new Date(seconds * 1000);
const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

function placeOf({ address, lat, lon }: EventRow) {
  const title = lines(address);
  const geo = lat === null || lon === null ? undefined : { lat, lon };
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

/** A page of events as a file. */
export const eventsFile = (events: readonly EventRow[], context: WireContext): FileAnswer => ({
  name: 'events.ics',
  body: calendarOf(events, context),
});
