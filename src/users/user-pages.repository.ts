import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { IdScan, idScan, type ScannedId } from '../database/id-scan';
import { type UserRow } from './users.resources';

const BY_UID = statement(
  'user_pages.by_uid',
  `SELECT id::text AS id, uid, name, signature, avatar FROM users
   WHERE uid = $1`,
);

const SITE_MAP = idScan(
  'user_pages.site_map',
  'users u',
  'NOT u.placeholder AND u.blocked_at IS NULL',
  ['u.uid'],
);

/** Reads of users that only the pages need. */
@Injectable()
export class UserPagesRepository {
  constructor(private readonly database: Database) {}

  /** A user by uid. */
  async findUser(uid: string): Promise<UserRow | undefined> {
    return (await this.database.query<UserRow>(BY_UID, [uid]))[0];
  }

  /** The ids and uids of users, for site maps. */
  scanUsers(): IdScan<ScannedId & { readonly uid: string }> {
    return new IdScan(this.database, SITE_MAP);
  }
}
