import { type SqlExecutor } from '../../database/database';
import { PairHandler } from '../engine/pair.handler';
import { RecordError, RecordReader } from '../engine/record';
import { ensureUsersOf } from './authors';

/** Two users who are friends, the lower id first. */
export interface FriendRecord {
  readonly user_id: number;
  readonly friend_id: number;
  /** The beginning of the friendship; an omitted value keeps the stored one. */
  readonly created: string | undefined;
}

/** Imports and exports friendships. */
export class FriendHandler extends PairHandler<FriendRecord> {
  readonly name = 'friend';
  readonly member = 'friends';

  constructor() {
    super({ table: 'friendships', columns: ['user_id', 'friend_id'] });
  }

  parse(value: unknown): FriendRecord {
    const reader = new RecordReader(value);
    const pair = [reader.requiredId('user_id'), reader.requiredId('friend_id')];
    if (pair[0] === pair[1]) throw new RecordError('users cannot be friends of themselves');
    const [user_id, friend_id] = [Math.min(...pair), Math.max(...pair)];
    return { user_id, friend_id, created: reader.time('created') };
  }

  override async write(executor: SqlExecutor, records: readonly FriendRecord[]): Promise<void> {
    const users = records.flatMap(({ user_id, friend_id }) => [user_id, friend_id]);
    await ensureUsersOf(
      executor,
      users.map((user_id) => ({ user_id })),
    );
    await super.write(executor, records);
  }
}
