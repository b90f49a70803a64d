import { type SqlExecutor } from '../../database/database';
import { hashOfPath } from '../../images/picture-names';
import { type RestoredUse } from '../../images/pictures.repository';
import { parseBook, placeholderBook, type BookRecord } from '../books/book.record';
import { type BookHandler } from '../books/book.handler';
import { RecordError, type RecordReader } from '../engine/record';
import {
  readUser,
  unnamedUser,
  ensurePlaceholderUsers,
  type UserRecord,
} from '../users/user.handler';

/** A user's text about a book. */
export interface AuthoredRecord {
  readonly id: number;
  readonly user_id: number;
  readonly book_id: number;
  /** The nested author and book. */
  readonly author?: UserRecord;
  readonly book?: BookRecord;
}

/** @throws RecordError when the nested book differs from `book_id` */
export function checkBook(reader: RecordReader, book: BookRecord | undefined): void {
  const named = reader.id('book_id');
  if (named !== undefined && book?.id !== undefined && book.id !== named) {
    throw new RecordError('book_id and book.id differ');
  }
}

/** Reads id, author and book. @throws RecordError for a missing one */
export function readAuthoredRecord(reader: RecordReader, authorMember: string): AuthoredRecord {
  const inside = reader.object(authorMember);
  const author = inside ? readUser(inside) : undefined;
  const book = reader.has('book') ? parseBook(reader.raw('book'), 'book') : undefined;
  checkBook(reader, book);
  return {
    id: reader.requiredId('id'),
    user_id: reader.id('author_id') ?? author?.id ?? reader.requiredId('author_id'),
    book_id: reader.id('book_id') ?? book?.id ?? reader.requiredId('book_id'),
    ...(author ? { author } : {}),
    ...(book ? { book } : {}),
  };
}

/** The columns of the record's own table. */
export function rowOf<R extends AuthoredRecord>(record: R): Omit<R, 'author' | 'book'> {
  const { author: _author, book: _book, ...row } = record;
  return row;
}

/** Inserts missing authors and books. */
export async function writeSurroundings(
  executor: SqlExecutor,
  books: BookHandler,
  records: readonly AuthoredRecord[],
): Promise<void> {
  await ensurePlaceholderUsers(
    executor,
    records.map(({ author, user_id }) => (author?.id === user_id ? author : unnamedUser(user_id))),
  );
  await books.writeMissing(
    executor,
    records.map(({ book, book_id }) =>
      book ? { ...book, id: book_id } : placeholderBook(book_id),
    ),
  );
}

/** Picture URLs of a record by number. */
export function readPhotos(reader: RecordReader): Record<string, string> {
  const photos = reader.object('photos');
  const numbers = (photos?.names() ?? []).filter((name) => /^[1-9]\d{0,3}$/.test(name));
  return Object.fromEntries(numbers.map((name) => [name, photos?.text(name) ?? '']));
}

interface Illustrated {
  readonly id: number;
  readonly photos: Readonly<Record<string, string>>;
}

/** The uploaded pictures that a record shows; other URLs are plain text. */
export const usesOf = ({ id, photos }: Illustrated, isPrivate: boolean): RestoredUse[] =>
  Object.entries(photos).flatMap(([number, path]) => {
    const hash = hashOfPath(path);
    if (hash === undefined) return [];
    return [{ subject_id: id, number: Number(number), hash, private: isPrivate }];
  });
