import { type SqlExecutor } from '../../database/database';
import { RecordError, type RecordReader } from '../engine/record';
import { type MergedReference } from '../engine/merged-references';
import { ensureUsersOf, readRequiredAuthor } from '../users/authors';
import { type UserRecord } from '../users/user.handler';
import { type BookHandler } from './book.handler';
import { parseBook, placeholderBook, type BookRecord } from './book.record';

/** A user's text about a book. */
export interface AuthoredRecord {
  readonly id: number;
  readonly user_id: number;
  readonly book_id: number;
  /** The nested author and book. */
  readonly author?: UserRecord | undefined;
  readonly book?: BookRecord | undefined;
}

/** The reference of a text to its book. */
export const bookReference = <R extends { readonly book_id: number }>(): MergedReference<R> => ({
  kind: 'book',
  idsOf: ({ book_id }) => [book_id],
  replaceIds: (record, current) => ({ ...record, book_id: current(record.book_id) }),
});

/** Reads the book, complete or by id. @throws RecordError when it is missing or ambiguous */
export function readBook(reader: RecordReader): Pick<AuthoredRecord, 'book_id' | 'book'> {
  const book = reader.has('book') ? parseBook(reader.raw('book'), 'book') : undefined;
  const named = reader.id('book_id');
  if (named !== undefined && book?.id !== undefined && book.id !== named) {
    throw new RecordError('book_id and book.id differ');
  }
  return { book_id: named ?? book?.id ?? reader.requiredId('book_id'), book };
}

/** Reads id, author and book. @throws RecordError for a missing one */
export const readAuthoredRecord = (reader: RecordReader, authorMember: string): AuthoredRecord => ({
  id: reader.requiredId('id'),
  ...readRequiredAuthor(reader, authorMember),
  ...readBook(reader),
});

/** The columns of the record's own table. */
export function rowOf<R extends Omit<AuthoredRecord, 'id'>>(record: R): Omit<R, 'author' | 'book'> {
  const { author: _author, book: _book, ...row } = record;
  return row;
}

/** Inserts missing users and books of records as placeholders. */
export async function ensureUsersAndBooks(
  executor: SqlExecutor,
  books: BookHandler,
  records: readonly Omit<AuthoredRecord, 'id'>[],
): Promise<void> {
  await ensureUsersOf(executor, records);
  await books.writeMissing(
    executor,
    records.map(({ book, book_id }) =>
      book ? { ...book, id: book_id } : placeholderBook(book_id),
    ),
  );
}
