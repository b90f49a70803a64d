import { Injectable } from '@nestjs/common';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { UsersService } from './users.service';

const ADD = statement(
  'friendships.add',
  `INSERT INTO friendships (user_id, friend_id)
   VALUES (least($1::bigint, $2::bigint), greatest($1::bigint, $2::bigint))
   ON CONFLICT (user_id, friend_id) DO NOTHING`,
);

const REMOVE = statement(
  'friendships.remove',
  `DELETE FROM friendships
   WHERE user_id = least($1::bigint, $2::bigint) AND friend_id = greatest($1::bigint, $2::bigint)`,
);

const FIND = statement(
  'friendships.find',
  `SELECT true AS friends FROM friendships
   WHERE user_id = least($1::bigint, $2::bigint) AND friend_id = greatest($1::bigint, $2::bigint)`,
);

/** Friendships, which are mutual. */
@Injectable()
export class FriendshipsService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
  ) {}

  /**
   * Creates or deletes a friendship; idempotent.
   * @param names a uid or numeric id each
   * @throws ApiError 6008 when a user is not found
   * @throws Error when both are the same
   */
  async set(
    names: readonly [string, string],
    friends: boolean,
    hooks?: TransactionHooks,
  ): Promise<void> {
    const [one, other] = [await this.users.byName(names[0]), await this.users.byName(names[1])];
    if (one.id === other.id) throw new Error('users cannot be friends of themselves');
    await this.database.transaction(
      (runner) => runner.query(friends ? ADD : REMOVE, [one.id, other.id]),
      hooks,
    );
  }

  /** Whether two users are friends; undefined when they are not. */
  async findFriendship(
    executor: SqlExecutor,
    one: number,
    other: number,
  ): Promise<{ readonly friends: true } | undefined> {
    return (await executor.query<{ friends: true }>(FIND, [one, other]))[0];
  }
}
