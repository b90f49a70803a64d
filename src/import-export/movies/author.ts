import { type SqlExecutor } from '../../database/database';
import { type RecordReader } from '../engine/record';
import {
  readUser,
  unnamedUser,
  ensurePlaceholderUsers,
  type UserRecord,
} from '../users/user.handler';

interface Authored {
  readonly user_id: number | null;
  readonly author?: UserRecord | undefined;
}

/** The author of a record, complete or by id; empty when it has none. */
export function readAuthor(reader: RecordReader): Partial<Authored> {
  const inside = reader.object('author');
  const author = inside ? readUser(inside) : undefined;
  const id = reader.id('author_id') ?? author?.id;
  if (id === undefined) return {};
  return { user_id: id, author: author?.id === id ? author : undefined };
}

/** Inserts missing authors as placeholders. */
export async function writeAuthors(
  executor: SqlExecutor,
  records: readonly (Authored | undefined)[],
): Promise<void> {
  const users = new Map<number, UserRecord>();
  for (const { user_id, author } of records.filter((record) => record !== undefined)) {
    if (user_id === null) continue;
    if (author || !users.has(user_id)) users.set(user_id, author ?? unnamedUser(user_id));
  }
  await ensurePlaceholderUsers(executor, [...users.values()]);
}
