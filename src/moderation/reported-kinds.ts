/** Kinds of content that users can report. */
export const REPORTED_KINDS = [
  'user',
  'collection',
  'annotation',
  'review',
  'note',
  'note_reply',
  'movie_review',
  'movie_comment',
  'photo',
  'event',
] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];
