import { Injectable } from '@nestjs/common';
import { idIn } from '../api/input/ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { type ModerationFlag } from '../api/writes/moderation';
import {
  Database,
  finishWith,
  statement,
  type SqlExecutor,
  type TransactionHooks,
} from '../database/database';
import { listTotal } from '../database/list-counts';
import { paginated, toPage, type LongTexts, type PageRow } from '../database/page-of';
import { type NumberedPicture } from '../images/numbered-pictures';
import { IllustratedTexts } from '../moderation/illustrated-texts';
import { type ModeratedContent } from '../moderation/moderation-queue.repository';
import { excerptSourceSql } from '../text/head';
import { longTextsOf, maxTextBytes } from '../text/long-texts';
import { userJson, type UserRow } from '../users/users.resources';
import { LIKED_BY_USER } from './liked-notes.sql';
import { type Format, type NoteRow, type Privacy, type StoredNote } from './notes.rows';
import { highestVisibility, noteColumns, noteVisibleSql } from './notes.sql';

/** A note, and whether the user of `$2` may see it; placeholders are excluded. */
const BY_ID = statement(
  'notes.by_id',
  `SELECT ${noteColumns('$2')}, ${noteVisibleSql('$2')} AS visible
   FROM notes n WHERE n.id = $1 AND NOT n.placeholder`,
);

const notesOfUser = (name: string, content: string, longTexts?: LongTexts) =>
  statement(
    name,
    paginated({
      ...(longTexts && { longTexts }),
      hits: `SELECT n.id, n.published_at FROM notes n
      WHERE n.user_id = $3 AND NOT n.placeholder AND ${noteVisibleSql('$4')}`,
      inOrder: true,
      total: listTotal('userNotes', '$3', highestVisibility('$3', '$4')),
      key: 'id',
      order: ['published_at DESC', 'id DESC'],
      columns: `${noteColumns('$4', content)},
      (SELECT ${userJson('u')} FROM users u WHERE u.id = $3) AS author`,
      joins: 'LEFT JOIN notes n ON n.id = p.id',
      limit: ['$1', '$2'],
    }),
  );

const OF_USER = notesOfUser('notes.of_user', 'n.content', longTextsOf('notes', '$5'));
const BEGINNINGS_OF_USER = notesOfUser('notes.beginnings_of_user', excerptSourceSql('n.content'));

const LIKED_BY = statement('notes.liked_by', LIKED_BY_USER);

/** A user's notes with the user; no user when not found. */
export interface NotesOfUser extends Page<NoteRow> {
  readonly author: UserRow | null;
}

const STORED_COLUMNS = `n.user_id::float8 AS user_id, n.title, n.content, n.privacy, n.hidden,
  n.can_reply, n.photos, ${noteVisibleSql('$2')} AS visible`;

const STORED = statement(
  'notes.stored',
  `SELECT ${STORED_COLUMNS} FROM notes n WHERE n.id = $1 AND NOT n.placeholder`,
);

const LOCK = statement(
  'notes.lock',
  `SELECT ${STORED_COLUMNS} FROM notes n WHERE n.id = $1 AND NOT n.placeholder FOR NO KEY UPDATE OF n`,
);

const ADD = statement(
  'notes.add',
  `INSERT INTO notes (user_id, title, content, privacy, can_reply, hidden)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING id::float8 AS id`,
);

const CHANGE = statement(
  'notes.change',
  `UPDATE notes SET title = $2, content = $3, privacy = $4, can_reply = $5, hidden = $6,
     updated_at = date_trunc('second', now()) WHERE id = $1`,
);

const KEEP_VERSION = statement(
  'notes.keep_version',
  'INSERT INTO note_versions (note_id, title, content) VALUES ($1, $2, $3)',
);

// Pictures are never removed from the row.
const ADD_PHOTOS = statement(
  'notes.add_photos',
  'UPDATE notes SET photos = photos || $2::jsonb WHERE id = $1',
);

const TEXTS = new IllustratedTexts({
  kind: 'note',
  addPhotos: ADD_PHOTOS,
  remove: statement('notes.remove', 'DELETE FROM notes WHERE id = $1'),
});

// One statement for the visibility check, the like and its counter, so that the lock of a popular
// note is short.
const likeStatement = (name: string, change: string, by: number) =>
  statement(
    name,
    `WITH note AS (
       SELECT n.id, ${STORED_COLUMNS} FROM notes n WHERE n.id = $1 AND NOT n.placeholder
       FOR NO KEY UPDATE OF n),
     changed AS (${change} RETURNING 1),
     counted AS (
       UPDATE notes SET likes = likes + (${by}) WHERE id = $1 AND EXISTS (SELECT 1 FROM changed))
     SELECT * FROM note`,
  );

const LIKE = likeStatement(
  'notes.like',
  `INSERT INTO note_likes (note_id, user_id) SELECT id, $2::bigint FROM note WHERE visible
   ON CONFLICT (note_id, user_id) DO NOTHING`,
  1,
);

const UNLIKE = likeStatement(
  'notes.unlike',
  `DELETE FROM note_likes l USING note
   WHERE note.visible AND l.note_id = note.id AND l.user_id = $2::bigint`,
  -1,
);

/** The new state of a note. */
export interface NewNote {
  readonly title: string;
  /** The text form of specification section 2.6. */
  readonly content: string;
  readonly privacy: Privacy;
  readonly can_reply: boolean;
  readonly moderationFlag: ModerationFlag | undefined;
}

/** Authorizes a write to a locked note, or throws. The note is undefined when it is not found. */
export type LockedNoteGuard = (stored: StoredNote | undefined) => StoredNote;

/** Locks a note to serialize updates of its counters. */
export async function lockNote(
  executor: SqlExecutor,
  id: number,
  userId: number,
  check: LockedNoteGuard,
): Promise<StoredNote> {
  const [stored] = await executor.query<StoredNote>(LOCK, [id, userId]);
  return check(stored);
}

const writingOf = (id: number, userId: number, wanted: NewNote): ModeratedContent => ({
  kind: 'note',
  id,
  userId,
  moderationFlag: wanted.moderationFlag,
  text: [wanted.title, wanted.content].join('\n'),
});

const isAuthorOnly = (privacy: Privacy, hidden: boolean): boolean => privacy !== 'public' || hidden;

@Injectable()
export class NotesRepository {
  constructor(private readonly database: Database) {}

  /** A note, and whether it is visible to `viewer`. */
  async findNoteById(
    id: number,
    viewer: number,
  ): Promise<(NoteRow & { visible: boolean }) | undefined> {
    const [row] = await this.database.query<NoteRow & { visible: boolean }>(BY_ID, [id, viewer]);
    return row;
  }

  /**
   * A user's notes visible to `viewer`, newest first (D29).
   * @param format of the notes: abstracts are made of the beginning of a content
   */
  async listUserNotes(
    userId: number,
    viewer: number,
    page: PageQuery,
    format?: Format,
  ): Promise<NotesOfUser> {
    const values = [page.count, page.start, userId, viewer];
    const isAbstract = format === 'abstract';
    const rows = await this.database.query<NoteRow & PageRow & { author: UserRow | null }>(
      isAbstract ? BEGINNINGS_OF_USER : OF_USER,
      isAbstract ? values : [...values, maxTextBytes()],
    );
    return { ...toPage(rows, page.start), author: rows[0]?.author ?? null };
  }

  /** Notes that the user with this uid or id likes and `viewer` may see, with the user. */
  async likedBy(name: string, viewer: number, page: PageQuery): Promise<NotesOfUser> {
    const values = [page.count, page.start, name, viewer, idIn(name), maxTextBytes()];
    const rows = await this.database.query<NoteRow & PageRow & { author: UserRow | null }>(
      LIKED_BY,
      values,
    );
    return { ...toPage(rows, page.start), author: rows[0]?.author ?? null };
  }

  /** The stored note, without a lock. */
  async stored(id: number, userId: number): Promise<StoredNote | undefined> {
    return (await this.database.query<StoredNote>(STORED, [id, userId]))[0];
  }

  insertNote(
    userId: number,
    wanted: NewNote,
    pictures: readonly NumberedPicture[],
    hooks?: TransactionHooks,
  ): Promise<NoteRow> {
    return this.database.transaction(async (executor) => {
      const { title, content, privacy, can_reply } = wanted;
      const hidden = wanted.moderationFlag !== undefined;
      const values = [userId, title, content, privacy, can_reply, hidden];
      const [made] = await executor.query<{ id: number }>(ADD, values);
      const id = made?.id ?? 0;
      const text = writingOf(id, userId, wanted);
      await TEXTS.insertText(executor, text, pictures, isAuthorOnly(privacy, hidden));
      return finishWith<NoteRow>(executor, BY_ID, [id, userId]);
    }, hooks);
  }

  /** Changes a note to the result of `wanted` and stores the previous version. */
  updateNote(
    id: number,
    userId: number,
    check: LockedNoteGuard,
    wanted: (stored: StoredNote) => Promise<NewNote>,
    pictures: readonly NumberedPicture[],
    hooks?: TransactionHooks,
  ): Promise<NoteRow> {
    return this.database.transaction(async (executor) => {
      const before = await lockNote(executor, id, userId, check);
      const after = await wanted(before);
      const { title, content, privacy, can_reply } = after;
      if (before.title !== title || before.content !== content) {
        await executor.query(KEEP_VERSION, [id, before.title, before.content]);
      }
      const text = writingOf(id, userId, after);
      const authorOnly = isAuthorOnly(before.privacy, before.hidden);
      const visibility = { hidden: before.hidden, authorOnly };
      await TEXTS.updateText(executor, text, visibility, pictures, async (hidden) => {
        await executor.query(CHANGE, [id, title, content, privacy, can_reply, hidden]);
        return isAuthorOnly(privacy, hidden);
      });
      return finishWith<NoteRow>(executor, BY_ID, [id, userId]);
    }, hooks);
  }

  deleteNote(id: number, userId: number, check: LockedNoteGuard): Promise<void> {
    return this.database.transaction(async (executor) => {
      await lockNote(executor, id, userId, check);
      await TEXTS.deleteText(executor, id, userId);
    });
  }

  /**
   * Likes or unlikes a visible note; idempotent (D30).
   * @returns the note, visible or not
   */
  async setLiked(id: number, userId: number, liked: boolean): Promise<StoredNote | undefined> {
    const [stored] = await this.database.query<StoredNote>(liked ? LIKE : UNLIKE, [id, userId]);
    return stored;
  }
}
