import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { wireTime } from '../database/wire-time';

const HISTORY = statement(
  'notes.history',
  `SELECT v.title, v.content, ${wireTime('v.replaced_at')} AS replaced
   FROM note_versions v WHERE v.note_id = $1 ORDER BY v.id DESC`,
);

/** A note before an edit. */
export interface NoteVersion {
  readonly title: string;
  /** The text form of specification section 2.6, which can be sent as `content`. */
  readonly content: string;
  /** Time of the edit. */
  readonly replaced: string;
}

@Injectable()
export class NoteHistoryRepository {
  constructor(private readonly database: Database) {}

  /** Previous versions of a note, newest first; empty when not found. */
  of(id: number): Promise<NoteVersion[]> {
    return this.database.query<NoteVersion>(HISTORY, [id]);
  }
}
