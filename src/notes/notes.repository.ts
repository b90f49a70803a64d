import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { userJson, type UserRow } from '../users/users.resources';
import { type NoteRow } from './notes.rows';
import { noteColumns, noteVisibleSql } from './notes.sql';

/** A note, and whether the user of `$2` may see it; placeholders are excluded. */
export const BY_ID = statement(
  'notes.by_id',
  `SELECT ${noteColumns('$2')}, ${noteVisibleSql('$2')} AS visible
   FROM notes n WHERE n.id = $1 AND NOT n.placeholder`,
);

const OF_USER = statement(
  'notes.of_user',
  paginated({
    hits: `SELECT n.id, n.published_at FROM notes n
      WHERE n.user_id = $3 AND NOT n.placeholder AND ${noteVisibleSql('$4')}`,
    key: 'id',
    order: ['published_at DESC', 'id DESC'],
    columns: `${noteColumns('$4')},
      (SELECT ${userJson('u')} FROM users u WHERE u.id = $3) AS author`,
    joins: 'LEFT JOIN notes n ON n.id = p.id',
    limit: ['$1', '$2'],
  }),
);

/** A user's notes with the user; no user when not found. */
export interface NotesOfUser extends Page<NoteRow> {
  readonly author: UserRow | null;
}

@Injectable()
export class NotesRepository {
  constructor(private readonly database: Database) {}

  /** A note, and whether it is visible to `viewer`. */
  async byId(id: number, viewer: number): Promise<(NoteRow & { visible: boolean }) | undefined> {
    const [row] = await this.database.query<NoteRow & { visible: boolean }>(BY_ID, [id, viewer]);
    return row;
  }

  /** A user's notes visible to `viewer`, newest first (D29). */
  async ofUser(userId: number, viewer: number, page: PageQuery): Promise<NotesOfUser> {
    const values = [page.count, page.start, userId, viewer];
    const rows = await this.database.query<NoteRow & PageRow & { author: UserRow | null }>(
      OF_USER,
      values,
    );
    return { ...toPage(rows, page.start), author: rows[0]?.author ?? null };
  }
}
