import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { type UserRow } from './users.resources';

const BY_UID = statement(
  'user_pages.by_uid',
  `SELECT id::text AS id, uid, name, signature, avatar FROM users
   WHERE uid = $1`,
);

const IDS = statement(
  'user_pages.ids',
  `SELECT id::float8 AS id, uid FROM users
   WHERE NOT placeholder AND blocked_at IS NULL AND id > $1 ORDER BY users.id LIMIT $2 OFFSET $3`,
);

/** Reads of users that only the pages need. */
@Injectable()
export class UserPagesRepository {
  constructor(private readonly database: Database) {}

  /** A user by uid. */
  async findUser(uid: string): Promise<UserRow | undefined> {
    return (await this.database.query<UserRow>(BY_UID, [uid]))[0];
  }

  /** Users after an id, in order; for the site map. */
  listUidsAfter(id: number, count: number, skip = 0): Promise<{ id: number; uid: string }[]> {
    return this.database.query<{ id: number; uid: string }>(IDS, [id, count, skip]);
  }
}
