import { Injectable } from '@nestjs/common';
import { idIn } from '../api/ids';
import { Database, statement } from '../database/database';

const BY_NAME = statement(
  'users.by_name',
  `SELECT id, uid FROM users
   WHERE uid = $1 OR id = $2
   ORDER BY (uid = $1) DESC LIMIT 1`,
);

/** A user as lookups need it. */
export interface UserKey {
  readonly id: number;
  readonly uid: string;
}

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /** A user by uid or numeric id, wherever `:name` or `user_id` names one (D22). */
  async byName(name: string): Promise<UserKey | undefined> {
    const [row] = await this.database.run<{ id: string; uid: string }>(BY_NAME, [name, idIn(name)]);
    return row && { id: Number(row.id), uid: row.uid };
  }
}
