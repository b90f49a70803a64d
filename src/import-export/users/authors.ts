import { type SqlExecutor } from '../../database/database';
import { type RecordReader } from '../engine/record';
import {
  readUser,
  unnamedUser,
  ensurePlaceholderUsers,
  lockReferencedUsers,
  type UserRecord,
} from './user.handler';

/** A record of a user. */
export interface Authored {
  readonly user_id: number | null | undefined;
  /** The nested user. */
  readonly author?: UserRecord | undefined;
}

/**
 * The author of a record, complete or by id; empty when it has none.
 * @param member of the nested author
 */
export function readAuthor(reader: RecordReader, member = 'author'): Partial<Authored> {
  const inside = reader.object(member);
  const author = inside ? readUser(inside) : undefined;
  const id = reader.id('author_id') ?? author?.id;
  if (id === undefined) return {};
  return { user_id: id, author: author?.id === id ? author : undefined };
}

/** The same for a record that has an author. @throws RecordError when it is missing */
export function readRequiredAuthor(
  reader: RecordReader,
  member?: string,
): { readonly user_id: number; readonly author: UserRecord | undefined } {
  const { user_id, author } = readAuthor(reader, member);
  return { user_id: user_id ?? reader.requiredId('author_id'), author };
}

/** The author of a record; undefined when it has none. */
export const ownerOf = ({ user_id, author }: Authored): UserRecord | undefined =>
  author ?? (typeof user_id === 'number' ? unnamedUser(user_id) : undefined);

/** The users of records, each once by id and `uid`, complete if a record has the user nested. */
function usersOf(records: readonly (Authored | undefined)[]): UserRecord[] {
  const users = new Map<string, UserRecord>();
  for (const { user_id, author } of records.filter((record) => record !== undefined)) {
    if (typeof user_id !== 'number') continue;
    const user = author ?? unnamedUser(user_id);
    users.set(`${user.id} ${user.uid}`, user);
  }
  return [...users.values()];
}

/** Inserts missing users of records as placeholders, as {@link ensurePlaceholderUsers} does. */
export async function ensureUsersOf(
  executor: SqlExecutor,
  records: readonly (Authored | undefined)[],
): Promise<void> {
  await ensurePlaceholderUsers(executor, usersOf(records));
}

/** Locks the existing users of records, as {@link ensureUsersOf} does before it inserts others. */
export async function lockUsersOf(
  executor: SqlExecutor,
  records: readonly Authored[],
): Promise<void> {
  await lockReferencedUsers(executor, usersOf(records));
}
