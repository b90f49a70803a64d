import { statement, type Statement } from '../database/database';

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

/**
 * Statements that find the row with the id `$1` when other users can see it, so that a report does
 * not reveal hidden rows.
 * @param rows SQL by kind: tables and condition of the visible rows `t`
 */
export const reportable = <Kind extends ReportedKind>(
  rows: Readonly<Record<Kind, string>>,
): Readonly<Record<Kind, Statement>> =>
  Object.fromEntries(
    Object.entries<string>(rows).map(([kind, sql]) => [
      kind,
      statement(`reports.find_${kind}`, `SELECT 1 FROM ${sql} AND t.id = $1`),
    ]),
  ) as Record<Kind, Statement>;
