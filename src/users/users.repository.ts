import { Injectable } from '@nestjs/common';
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

/** A numeric id that a name may stand for, or null. Ids past 2^53 belong to nobody. */
function asId(name: string): number | null {
  const id = /^\d+$/.test(name) ? Number(name) : NaN;
  return Number.isSafeInteger(id) ? id : null;
}

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /** A user by uid or numeric id, wherever `:name` or `user_id` names one (D22). */
  async byName(name: string): Promise<UserKey | undefined> {
    const [row] = await this.database.run<{ id: string; uid: string }>(BY_NAME, [name, asId(name)]);
    return row && { id: Number(row.id), uid: row.uid };
  }
}
