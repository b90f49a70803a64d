import { Injectable } from '@nestjs/common';
import { idIn } from '../api/input/ids';
import { Database, statement, type TransactionHooks } from '../database/database';
import { reserveUid, undefinedWhenTaken } from './registered-uids';

const BY_NAME = statement(
  'users.by_name',
  `SELECT id, uid FROM users
   WHERE uid = $1 OR id = $2
   ORDER BY (uid = $1) DESC LIMIT 1`,
);

const ADD = statement(
  'users.add',
  `INSERT INTO users (uid, name) SELECT $1, $2
   WHERE NOT EXISTS (SELECT 1 FROM users WHERE lower(uid) = lower($1))
   ON CONFLICT (uid) DO NOTHING RETURNING id::float8 AS id`,
);

/** The identity of a user. */
export interface UserKey {
  readonly id: number;
  readonly uid: string;
}

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /** A user by uid or numeric id, for `:name` and `user_id` (D22). */
  async byName(name: string): Promise<UserKey | undefined> {
    const [row] = await this.database.query<{ id: string; uid: string }>(BY_NAME, [
      name,
      idIn(name),
    ]);
    return row && { id: Number(row.id), uid: row.uid };
  }

  /** The id of the new user, or undefined when the uid is in use in any case. */
  insertUser(uid: string, name: string, hooks?: TransactionHooks): Promise<number | undefined> {
    const added = this.database.transaction(async (runner) => {
      const [made] = await runner.query<{ id: number }>(ADD, [uid, name]);
      if (made) await reserveUid(runner, made.id, uid);
      return made?.id;
    }, hooks);
    return undefinedWhenTaken(added);
  }
}
