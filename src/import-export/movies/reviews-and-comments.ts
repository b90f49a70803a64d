import { firstOf, lengthOf, withoutEllipsis } from '../../api/input/text-input';
import { statement, type SqlExecutor } from '../../database/database';
import { type Envelope, type Part } from '../engine/record-handler';
import { RecordError, type RecordReader } from '../engine/record';
import { readAuthor } from '../users/authors';
import { parentOf, toPart, type MovieHandlers } from './movie-handlers';
import { LOCK_SUBJECTS } from './subject-search';
import { parsePlaceholderSubject } from './subject.record';

const count = (column: string, table: string) =>
  statement(
    `transfer.count_${table}`,
    `UPDATE subjects s SET ${column} = n.n
     FROM (SELECT i.id, count(o.id)::int AS n
       FROM unnest($1::bigint[]) AS i(id) LEFT JOIN ${table} o ON o.subject_id = i.id
       GROUP BY i.id) n
     WHERE s.id = n.id AND s.${column} <> n.n`,
  );
const COUNTS = {
  movie_reviews: count('reviews_count', 'movie_reviews'),
  movie_comments: count('comments_count', 'movie_comments'),
};

/** Recomputes the review and comment counts of subjects. */
export async function countOpinions(
  executor: SqlExecutor,
  table: keyof typeof COUNTS,
  subjects: readonly (number | undefined)[],
): Promise<void> {
  const ids = [...new Set(subjects.filter((id) => id !== undefined))];
  await executor.query(LOCK_SUBJECTS, [ids]);
  await executor.query(COUNTS[table], [ids]);
}

/** Truncates a text to `length` characters, with an ellipsis, which replaces one of the text (D43). */
export function cutTo(length: number, text: string): string {
  if (lengthOf(text) <= length) return text;
  const head = firstOf(text, length - 1);
  return `${withoutEllipsis(head, text.slice(head.length))}…`;
}

/** Reads the common fields of reviews and comments: subject, author, rating, usefulness, times. */
export function readOpinion(
  family: MovieHandlers,
  reader: RecordReader,
  envelope: Envelope | undefined,
  ownerId?: number | null,
): { input: Record<string, unknown>; dependencies: readonly Part[] } {
  const own = reader.has('subject')
    ? parsePlaceholderSubject(family, reader.raw('subject'), 'subject')
    : undefined;
  const parent =
    own ??
    parentOf(envelope, 'subject', (subject) => parsePlaceholderSubject(family, subject, 'subject'));
  const id = ownerId ?? reader.id('subject_id') ?? parent?.id;
  const input: Record<string, unknown> = readAuthor(reader);
  if (id !== undefined) input.subject_id = id;
  if (reader.has('rating')) input.rating = reader.stars();
  if (reader.has('useful_count')) input.useful_count = reader.count('useful_count');
  const created = reader.time('created_at');
  if (created !== undefined) input.created_at = created;
  return { input, dependencies: parent && parent.id === id ? toPart(family.movie, [parent]) : [] };
}

/** @throws RecordError when a review or comment has no subject or no author */
export function demandOwners(record: {
  readonly subject_id: number | null;
  readonly user_id: number | null;
}): void {
  if (record.subject_id === null) throw new RecordError('subject_id is missing');
  if (record.user_id === null) throw new RecordError('author is missing');
}

/** A rating of 1 to 5 in JSON; absent for none. */
export const wireRating = (value: number | null): Record<string, unknown> =>
  value === null ? {} : { rating: { max: 5, value, min: 0 } };
