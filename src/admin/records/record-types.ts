/** A type of record that administrators edit. */
export interface RecordType {
  /** Path segment, and member of lists. */
  readonly name: string;
  /** Name of its record handler. */
  readonly kind: string;
}

export const BOOKS: RecordType = { name: 'books', kind: 'book' };
export const SUBJECTS: RecordType = { name: 'subjects', kind: 'movie' };
export const CELEBRITIES: RecordType = { name: 'celebrities', kind: 'celebrity' };
export const PHOTOS: RecordType = { name: 'photos', kind: 'photo' };
export const EVENTS: RecordType = { name: 'events', kind: 'event' };
export const LOCS: RecordType = { name: 'locs', kind: 'loc' };

/** All types of records that administrators edit. */
export const RECORD_TYPES = [BOOKS, SUBJECTS, CELEBRITIES, PHOTOS, EVENTS, LOCS] as const;
