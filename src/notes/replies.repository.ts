import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/page';
import { Database, statement, type Runner } from '../database/database';
import { pageOf, toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { userJson } from '../users/users.resources';
import { lockNote, type NoteCheck } from './note-writes.repository';
import { type ReplyRow, type StoredNote } from './notes.rows';
import { visibleTo } from './notes.sql';

const COLUMNS = `r.id, r.content, ${wireTime('r.created_at')} AS created, ${userJson('u')} AS author`;

/** The note that replies are asked of: null for an unknown one, else whether `$me` may see it. */
const SEEN = (id: string, me: string): string =>
  `(SELECT ${visibleTo(me)} FROM notes n WHERE n.id = ${id} AND NOT n.stub)`;

const OF_NOTE = statement(
  'note_replies.of_note',
  pageOf({
    hits: `SELECT r.id, r.created_at FROM note_replies r
      WHERE r.note_id = $3 AND ${SEEN('$3', '$4')}`,
    key: 'id',
    order: ['created_at', 'id'],
    columns: `${COLUMNS}, ${SEEN('$3', '$4')} AS visible`,
    joins: `LEFT JOIN note_replies r ON r.id = p.id LEFT JOIN users u ON u.id = r.user_id`,
    limit: ['$1', '$2'],
  }),
);

const BY_ID = statement(
  'note_replies.by_id',
  `SELECT ${COLUMNS}, r.user_id::float8 AS user_id, ${visibleTo('$3')} AS visible
   FROM notes n LEFT JOIN note_replies r ON r.note_id = n.id AND r.id = $2
   LEFT JOIN users u ON u.id = r.user_id
   WHERE n.id = $1 AND NOT n.stub`,
);

const ADD = statement(
  'note_replies.add',
  `INSERT INTO note_replies (note_id, user_id, content) VALUES ($1, $2, $3)
   RETURNING id::float8 AS id`,
);

const REMOVE = statement('note_replies.remove', 'DELETE FROM note_replies WHERE id = $1');

const COUNT = statement(
  'note_replies.count',
  'UPDATE notes SET replies = replies + $2::int WHERE id = $1',
);

/** What a note's page or one reply says of the note: null for an unknown one. */
export interface OfNote {
  readonly visible: boolean | null;
}

/** One reply; null for a note that has no such one. */
export type FoundReply = OfNote & Omit<ReplyRow, 'id'> & { id: string | null; user_id: number };

@Injectable()
export class RepliesRepository {
  constructor(private readonly database: Database) {}

  /** Replies to a note, oldest first; none when `viewer` may not see it. */
  async ofNote(noteId: number, viewer: number, page: PageQuery): Promise<Page<ReplyRow> & OfNote> {
    const values = [page.count, page.start, noteId, viewer];
    const rows = await this.database.run<ReplyRow & PageRow & OfNote>(OF_NOTE, values);
    return { ...toPage(rows, page.start), visible: rows[0]?.visible ?? null };
  }

  /** A reply to a note; undefined without the note, its id null without the reply. */
  async byId(noteId: number, id: number, viewer: number): Promise<FoundReply | undefined> {
    return (await this.database.run<FoundReply>(BY_ID, [noteId, id, viewer]))[0];
  }

  add(noteId: number, userId: number, content: string, check: NoteCheck): Promise<ReplyRow> {
    return this.database.transaction(async (runner) => {
      await lockNote(runner, noteId, userId, check);
      const [made] = await runner.run<{ id: number }>(ADD, [noteId, userId, content]);
      await runner.run(COUNT, [noteId, 1]);
      return (await this.read(runner, noteId, made?.id ?? 0, userId)) as ReplyRow;
    });
  }

  /** @param mayRemove looks at the reply under its locked note; throws when it must stay */
  remove(
    noteId: number,
    id: number,
    userId: number,
    check: NoteCheck,
    mayRemove: (note: StoredNote, reply: FoundReply | undefined) => void,
  ): Promise<void> {
    return this.database.transaction(async (runner) => {
      const note = await lockNote(runner, noteId, userId, check);
      mayRemove(note, await this.read(runner, noteId, id, userId));
      await runner.run(REMOVE, [id]);
      await runner.run(COUNT, [noteId, -1]);
    });
  }

  private async read(
    runner: Runner,
    noteId: number,
    id: number,
    userId: number,
  ): Promise<FoundReply | undefined> {
    return (await runner.run<FoundReply>(BY_ID, [noteId, id, userId]))[0];
  }
}
