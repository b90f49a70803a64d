import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { userJson, type UserRow } from '../users/users.resources';
import { type NoteRow } from './notes.rows';
import { noteColumns } from './notes.sql';

const isPublic = `n.privacy = 'public' AND NOT n.hidden AND NOT n.placeholder`;

const AUTHOR = `(SELECT ${userJson('u')} FROM users u WHERE u.id = n.user_id) AS author`;

const NEWEST = statement(
  'note_pages.newest',
  `SELECT ${noteColumns('NULL')}, ${AUTHOR} FROM notes n WHERE ${isPublic}
   ORDER BY n.id DESC LIMIT $1`,
);

const BY_ID = statement(
  'note_pages.by_id',
  `SELECT ${noteColumns('NULL')}, ${AUTHOR} FROM notes n WHERE n.id = $1 AND ${isPublic}`,
);

const IDS = statement(
  'note_pages.ids',
  `SELECT n.id::float8 AS id FROM notes n WHERE ${isPublic} AND n.id > $1 ORDER BY n.id LIMIT $2 OFFSET $3`,
);

/** A note with its author; null when an import omitted the author. */
export type NoteOfAuthor = NoteRow & { readonly author: UserRow | null };

/** Reads of notes that only the pages need. All of them show public notes alone. */
@Injectable()
export class NotePagesRepository {
  constructor(private readonly database: Database) {}

  /** The public notes with the highest ids. */
  listNewest(count: number): Promise<NoteOfAuthor[]> {
    return this.database.query<NoteOfAuthor>(NEWEST, [count]);
  }

  /** A public note with its author. */
  async findNote(id: number): Promise<NoteOfAuthor | undefined> {
    return (await this.database.query<NoteOfAuthor>(BY_ID, [id]))[0];
  }

  /** Ids of public notes after an id, in order; for the site map. */
  async listIdsAfter(id: number, count: number, skip = 0): Promise<number[]> {
    return (await this.database.query<{ id: number }>(IDS, [id, count, skip])).map((row) => row.id);
  }
}
