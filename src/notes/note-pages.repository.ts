import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { IdScan, idScan } from '../database/id-scan';
import { excerptSourceSql } from '../text/head';
import { userJson, type UserRow } from '../users/users.resources';
import { type NoteRow } from './notes.rows';
import { noteColumns } from './notes.sql';

const isPublic = `n.privacy = 'public' AND NOT n.hidden AND NOT n.placeholder`;

const AUTHOR = `(SELECT ${userJson('u')} FROM users u WHERE u.id = n.user_id) AS author`;

const NEWEST = statement(
  'note_pages.newest',
  `SELECT ${noteColumns('NULL', excerptSourceSql('n.content'))}, ${AUTHOR} FROM notes n WHERE ${isPublic}
   ORDER BY n.id DESC LIMIT $1`,
);

const BY_ID = statement(
  'note_pages.by_id',
  `SELECT ${noteColumns('NULL')}, ${AUTHOR} FROM notes n WHERE n.id = $1 AND ${isPublic}`,
);

const SITE_MAP = idScan('note_pages.site_map', 'notes n', isPublic);

/** A note with its author; null when an import omitted the author. */
export type NoteOfAuthor = NoteRow & { readonly author: UserRow | null };

/** Reads of notes that only the pages need. All of them show public notes alone. */
@Injectable()
export class NotePagesRepository {
  constructor(private readonly database: Database) {}

  /** The public notes with the highest ids, with the beginnings of their contents. */
  listNewest(count: number): Promise<NoteOfAuthor[]> {
    return this.database.query<NoteOfAuthor>(NEWEST, [count]);
  }

  /** A public note with its author. */
  async findNote(id: number): Promise<NoteOfAuthor | undefined> {
    return (await this.database.query<NoteOfAuthor>(BY_ID, [id]))[0];
  }

  /** The ids of public notes, for site maps. */
  scanNotes(): IdScan {
    return new IdScan(this.database, SITE_MAP);
  }
}
