import { statement, type SqlExecutor } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { type RecordHandler } from '../engine/record-handler';
import { dedupeKeepLast } from '../engine/dedupe-keep-last';
import { withStored } from '../engine/fill-missing';
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
export class FriendHandler implements RecordHandler<FriendRecord> {
  readonly name = 'friend';
  readonly member = 'friends';

  parse(value: unknown): FriendRecord {
    const reader = new RecordReader(value);
    const pair = [reader.requiredId('user_id'), reader.requiredId('friend_id')];
    if (pair[0] === pair[1]) throw new RecordError('users cannot be friends of themselves');
    const [user_id, friend_id] = [Math.min(...pair), Math.max(...pair)];
    return { user_id, friend_id, created: reader.time('created') };
  }

  resolveIds(executor: SqlExecutor, records: readonly FriendRecord[]): Promise<FriendRecord[]> {
    return withStored(
      executor,
      this,
      dedupeKeepLast(records, (record) => this.key(record)),
      ['created'],
    );
  }

  key({ user_id, friend_id }: FriendRecord): string {
    return `${user_id}-${friend_id}`;
  }

  async load(executor: SqlExecutor, records: readonly FriendRecord[]) {
    const rows = await executor.query<FriendRecord>(LOAD, [JSON.stringify(records)]);
    return new Map(rows.map((row) => [this.key(row), row]));
  }

  async write(executor: SqlExecutor, records: readonly FriendRecord[]): Promise<void> {
    const users = records.flatMap(({ user_id, friend_id }) => [user_id, friend_id]);
    await ensurePlaceholderUsers(executor, users.map(unnamedUser));
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson({ user_id, friend_id, created }: FriendRecord): Record<string, unknown> {
    return { user_id: String(user_id), friend_id: String(friend_id), created };
  }

  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const rows = await executor.query<FriendRecord>(AFTER, [id, limit]);
    return rows.map((record) => ({ id: record.user_id, record }));
  }
}
