import { Injectable } from '@nestjs/common';
import { type ModerationFlag } from '../api/writes/moderation';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Database,
  finishWith,
  statement,
  type SqlExecutor,
  type TransactionHooks,
} from '../database/database';
import { listTotal } from '../database/list-counts';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { enqueueForReview } from '../moderation/moderation-queue.repository';
import { userJson } from '../users/users.resources';
import { lockNote, type LockedNoteGuard } from './notes.repository';
import { type ReplyRow, type StoredNote } from './notes.rows';
import { replyVisibleSql, noteVisibleSql } from './notes.sql';

const COLUMNS = `r.id, r.content, ${wireTime('r.created_at')} AS created, ${userJson('u')} AS author`;

/** The visibility of the note for `$me`; null when not found. */
const SEEN = (id: string, me: string): string =>
  `(SELECT ${noteVisibleSql(me)} FROM notes n WHERE n.id = ${id} AND NOT n.placeholder)`;

const OF_NOTE = statement(
  'note_replies.of_note',
  paginated({
    hits: `SELECT r.id, r.created_at FROM note_replies r
      WHERE r.note_id = $3 AND ${SEEN('$3', '$4')} AND ${replyVisibleSql('$4')}`,
    inOrder: true,
    total: `SELECT CASE WHEN ${SEEN('$3', '$4')} THEN (${listTotal('noteReplies', '$3')})
      + (SELECT count(*) FROM note_replies own
         WHERE own.note_id = $3 AND own.user_id = $4 AND own.hidden) ELSE 0 END`,
    key: 'id',
    order: ['created_at', 'id'],
    columns: `${COLUMNS}, ${SEEN('$3', '$4')} AS visible`,
    joins: `LEFT JOIN note_replies r ON r.id = p.id LEFT JOIN users u ON u.id = r.user_id`,
    limit: ['$1', '$2'],
  }),
);

const BY_ID = statement(
  'note_replies.by_id',
  `SELECT ${COLUMNS}, r.user_id::float8 AS user_id, r.hidden, ${noteVisibleSql('$3')} AS visible
   FROM notes n LEFT JOIN note_replies r ON r.note_id = n.id AND r.id = $2
     AND ${replyVisibleSql('$3')}
   LEFT JOIN users u ON u.id = r.user_id
   WHERE n.id = $1 AND NOT n.placeholder`,
);

const ADD = statement(
  'note_replies.add',
  `INSERT INTO note_replies (note_id, user_id, content, hidden) VALUES ($1, $2, $3, $4)
   RETURNING id::float8 AS id`,
);

const REMOVE = statement('note_replies.remove', 'DELETE FROM note_replies WHERE id = $1');

const COUNT = statement(
  'note_replies.count',
  'UPDATE notes SET replies = replies + $2::int WHERE id = $1',
);

/** Counts the visible replies of a locked note; hidden ones are excluded. */
export async function countReplies(
  executor: SqlExecutor,
  noteId: number,
  more: number,
): Promise<void> {
  await executor.query(COUNT, [noteId, more]);
}

/** The new content of a reply. */
export interface NewReply {
  readonly content: string;
  readonly moderationFlag?: ModerationFlag;
}

/** The visibility of the note; null when not found. */
export interface OfNote {
  readonly visible: boolean | null;
}

/** A reply; null when the note has no such reply. */
export type FoundReply = OfNote &
  Omit<ReplyRow, 'id'> & { id: string | null; user_id: number; hidden: boolean };

@Injectable()
export class RepliesRepository {
  constructor(private readonly database: Database) {}

  /** Replies to a note, oldest first; empty when `viewer` may not see it. */
  async listReplies(
    noteId: number,
    viewer: number,
    page: PageQuery,
  ): Promise<Page<ReplyRow> & OfNote> {
    const values = [page.count, page.start, noteId, viewer];
    const rows = await this.database.query<ReplyRow & PageRow & OfNote>(OF_NOTE, values);
    return { ...toPage(rows, page.start), visible: rows[0]?.visible ?? null };
  }

  /** A reply to a note; undefined without the note, its id null without the reply. */
  async findReplyById(noteId: number, id: number, viewer: number): Promise<FoundReply | undefined> {
    return (await this.database.query<FoundReply>(BY_ID, [noteId, id, viewer]))[0];
  }

  insertReply(
    noteId: number,
    userId: number,
    { content, moderationFlag }: NewReply,
    check: LockedNoteGuard,
    hooks?: TransactionHooks,
  ): Promise<ReplyRow> {
    const hidden = moderationFlag !== undefined;
    return this.database.transaction(async (executor) => {
      await lockNote(executor, noteId, userId, check);
      const [made] = await executor.query<{ id: number }>(ADD, [noteId, userId, content, hidden]);
      const id = made?.id ?? 0;
      await enqueueForReview(executor, {
        kind: 'note_reply',
        id,
        userId,
        moderationFlag,
        text: content,
      });
      if (!hidden) await countReplies(executor, noteId, 1);
      return finishWith<ReplyRow>(executor, BY_ID, [noteId, id, userId]);
    }, hooks);
  }

  /** @param mayRemove checks the reply while its note is locked; throws to reject */
  deleteReply(
    noteId: number,
    id: number,
    userId: number,
    check: LockedNoteGuard,
    mayRemove: (note: StoredNote, reply: FoundReply | undefined) => void,
  ): Promise<void> {
    return this.database.transaction(async (executor) => {
      const note = await lockNote(executor, noteId, userId, check);
      const reply = await this.read(executor, noteId, id, userId);
      mayRemove(note, reply);
      await executor.query(REMOVE, [id]);
      if (reply?.hidden === false) await countReplies(executor, noteId, -1);
    });
  }

  private async read(
    executor: SqlExecutor,
    noteId: number,
    id: number,
    userId: number,
  ): Promise<FoundReply | undefined> {
    return (await executor.query<FoundReply>(BY_ID, [noteId, id, userId]))[0];
  }
}
