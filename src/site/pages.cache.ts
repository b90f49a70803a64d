import { type CacheRule, type ContentKey } from '../api/cache/cache-rule';

/** Maximum age in milliseconds of lists of related objects, which no key tells about (D160). */
export const RELATED_MS = 60_000;

/** The content key of a book. */
export const bookKey = (id: string | number): ContentKey => `book:${Number(id)}`;

/** The content key of an event. */
export const eventKey = (id: string | number): ContentKey => `event:${Number(id)}`;

/** The content key of the books of a series: which they are, not what they contain. */
export const seriesKey = (id: string | number): ContentKey => `series_books:${Number(id)}`;

/** A book with its readers, reviews and annotations. Names of series and users are on it, too. */
export const BOOK_PAGE: CacheRule = {
  dependsOn: ({ id = '' }) => [
    bookKey(id),
    `texts:${Number(id)}`,
    `readers:${Number(id)}`,
    ...['series', 'users'],
  ],
  users: 'same',
};

/** An event with its participants. */
export const EVENT_PAGE: CacheRule = {
  dependsOn: ({ id = '' }) => [eventKey(id), 'users', 'cities'],
  users: 'same',
};
