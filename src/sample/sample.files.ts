import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  SampleCalendar,
  type SampleCity,
  type SampleEvent,
  type SampleParticipation,
} from './calendar';
import { readLines } from './lines';
import { type RelativeDay } from './relative-times';

/** A showing of the sample: an import record with a relative last day. */
interface SampleShowing {
  readonly until: RelativeDay;
}

/** A chart of the sample: an import record without its day. */
interface SampleChart {
  readonly date: RelativeDay;
}

/** A file of the sample in import format. */
export interface SampleFile {
  readonly kind: string;
  readonly name: string;
  readonly open: (calendar: SampleCalendar) => Promise<Readable>;
}

const CITIES = 'locs.ndjson';
const EVENTS = 'events.ndjson';

const pathOf = (name: string): string => join(__dirname, 'data', name);

const asItIs = (kind: string, name: string): SampleFile => ({
  kind,
  name,
  open: () => Promise.resolve(createReadStream(pathOf(name))),
});

/** A file with relative times; line numbers are preserved. */
const placed = <T>(
  kind: string,
  name: string,
  place: (calendar: SampleCalendar, record: T) => object,
): SampleFile => ({
  kind,
  name,
  open: async (calendar) => {
    const records = await readLines<T>(pathOf(name));
    const lines = records.map((record) => `${JSON.stringify(place(calendar, record))}\n`);
    return Readable.from([Buffer.from(lines.join(''))]);
  },
});

/** The files of the sample in dependency order. */
export const FILES: readonly SampleFile[] = [
  asItIs('loc', CITIES),
  asItIs('user', 'users.ndjson'),
  asItIs('book', 'books.ndjson'),
  asItIs('collection', 'collections.ndjson'),
  asItIs('annotation', 'annotations.ndjson'),
  asItIs('review', 'reviews.ndjson'),
  asItIs('friend', 'friends.ndjson'),
  asItIs('note', 'notes.ndjson'),
  asItIs('note-reply', 'note-replies.ndjson'),
  asItIs('celebrity', 'celebrities.ndjson'),
  asItIs('movie', 'movies.ndjson'),
  asItIs('credit', 'credits.ndjson'),
  asItIs('photo', 'photos.ndjson'),
  asItIs('movie-review', 'movie-reviews.ndjson'),
  asItIs('movie-comment', 'movie-comments.ndjson'),
  placed<SampleShowing>('showing', 'showings.ndjson', (calendar, showing) => ({
    ...showing,
    until: calendar.day(showing.until),
  })),
  placed<SampleChart>('chart', 'charts.ndjson', (calendar, chart) => ({
    ...chart,
    date: calendar.day(chart.date),
  })),
  placed<SampleEvent>('event', EVENTS, (calendar, event) => calendar.event(event)),
  placed<SampleParticipation>('participation', 'participations.ndjson', (calendar, participation) =>
    calendar.participation(participation),
  ),
];

/** The calendar of the sample's events at an instant, in the time zone of the service. */
export async function calendarAt(now: Date, timeZone: string): Promise<SampleCalendar> {
  const cities = await readLines<SampleCity>(pathOf(CITIES));
  const events = await readLines<SampleEvent>(pathOf(EVENTS));
  return new SampleCalendar(now, timeZone, cities, events);
}
