import { statement, type SqlExecutor } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { unnamedUser, ensurePlaceholderUsers } from './user.handler';

/** Two users who are friends, the lower id first. */
export interface FriendRecord {
  readonly user_id: number;
  readonly friend_id: number;
  /** The beginning of the friendship; an omitted value keeps the stored one. */
  readonly created: string | undefined;
}

const COLUMNS = `f.user_id::float8 AS user_id, f.friend_id::float8 AS friend_id,
  ${wireTime('f.created_at')} AS created`;
const PAIRS = `json_to_recordset($1::json)
  AS r(user_id bigint, friend_id bigint, created timestamptz)`;
const LOAD = statement(
  'transfer.friends',
  `SELECT ${COLUMNS} FROM friendships f
   JOIN ${PAIRS} ON r.user_id = f.user_id AND r.friend_id = f.friend_id`,
);
const WRITE = statement(
  'transfer.write_friends',
  `INSERT INTO friendships (user_id, friend_id, created_at)
   SELECT r.user_id, r.friend_id, coalesce(r.created, date_trunc('second', now()))
   FROM ${PAIRS} ORDER BY r.user_id, r.friend_id
   ON CONFLICT (user_id, friend_id) DO UPDATE SET created_at = EXCLUDED.created_at`,
);
// Reads all friends of a user at once, because pairs have no id to continue from.
const AFTER = statement(
  'transfer.friends_after',
  `SELECT ${COLUMNS} FROM friendships f
   WHERE f.user_id IN (SELECT DISTINCT user_id FROM friendships WHERE user_id > $1
     ORDER BY user_id LIMIT $2)
   ORDER BY f.user_id, f.friend_id`,
);

/** Imports and exports friendships. */
export class FriendHandler extends StoredHandler<FriendRecord> {
  readonly name = 'friend';
  readonly member = 'friends';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly omissible = ['created'] as const;

  parse(value: unknown): FriendRecord {
    const reader = new RecordReader(value);
    const pair = [reader.requiredId('user_id'), reader.requiredId('friend_id')];
    if (pair[0] === pair[1]) throw new RecordError('users cannot be friends of themselves');
    const [user_id, friend_id] = [Math.min(...pair), Math.max(...pair)];
    return { user_id, friend_id, created: reader.time('created') };
  }

  protected override loadValues(records: readonly FriendRecord[]): readonly unknown[] {
    return [JSON.stringify(records)];
  }

  protected override idOf({ user_id }: FriendRecord): number {
    return user_id;
  }

  override key({ user_id, friend_id }: FriendRecord): string {
    return `${user_id}-${friend_id}`;
  }

  async write(executor: SqlExecutor, records: readonly FriendRecord[]): Promise<void> {
    const users = records.flatMap(({ user_id, friend_id }) => [user_id, friend_id]);
    await ensurePlaceholderUsers(executor, users.map(unnamedUser));
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson({ user_id, friend_id, created }: FriendRecord): Record<string, unknown> {
    return { user_id: String(user_id), friend_id: String(friend_id), created };
  }
}
