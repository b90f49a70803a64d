import { statement, type SqlExecutor } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { type Envelope } from '../engine/record-handler';
import { StoredHandler } from '../engine/stored.handler';
import { lockNotes } from './note-placeholders';
import { RecordReader } from '../engine/record';
import { unnamedUser, ensurePlaceholderUsers } from '../users/user.handler';

/** A user's like of a note. */
export interface NoteLikeRecord {
  readonly note_id: number;
  readonly user_id: number;
  /** When the user liked it; an omitted value keeps the stored one. */
  readonly created: string | undefined;
}

const COLUMNS = `l.note_id::float8 AS note_id, l.user_id::float8 AS user_id,
  ${wireTime('l.created_at')} AS created`;
const GIVEN = `json_to_recordset($1::json)
  AS r(note_id bigint, user_id bigint, created timestamptz)`;
const LOAD = statement(
  'transfer.note_likes',
  `SELECT ${COLUMNS} FROM note_likes l
   JOIN ${GIVEN} ON r.note_id = l.note_id AND r.user_id = l.user_id`,
);
// Reads all likes of a note at once, because likes have no id to continue from. The number of notes
// makes about one batch.
const AFTER = statement(
  'transfer.note_likes_after',
  `SELECT ${COLUMNS} FROM note_likes l
   WHERE l.note_id IN (
     SELECT s.id FROM (
       SELECT n.id, sum(n.likes) OVER (ORDER BY n.id) - n.likes AS before
       FROM (SELECT DISTINCT note_id FROM note_likes WHERE note_id > $1
         ORDER BY note_id LIMIT $2) d JOIN notes n ON n.id = d.note_id) s
     WHERE s.before < $2)
   ORDER BY l.note_id, l.user_id`,
);
const WRITE = statement(
  'transfer.write_note_likes',
  `INSERT INTO note_likes (note_id, user_id, created_at)
   SELECT r.note_id, r.user_id, coalesce(r.created, date_trunc('second', now()))
   FROM ${GIVEN} ORDER BY r.note_id, r.user_id
   ON CONFLICT (note_id, user_id) DO UPDATE SET created_at = EXCLUDED.created_at`,
);
// The imported count of the note already includes these likes.
const RECOUNT = statement(
  'transfer.recount_note_likes',
  `UPDATE notes n SET likes = c.count,
     likes_base = greatest(n.likes_base - greatest(c.count - n.likes, 0), 0)
   FROM (SELECT i.id, count(l.note_id)::int AS count
         FROM (SELECT DISTINCT unnest($1::bigint[]) AS id) i
         LEFT JOIN note_likes l ON l.note_id = i.id GROUP BY i.id) c
   WHERE n.id = c.id AND n.likes <> c.count`,
);

/**
 * Imports and exports likes of notes, and updates the counters of the notes in the same
 * transaction.
 */
export class NoteLikeHandler extends StoredHandler<NoteLikeRecord> {
  readonly name = 'note-like';
  readonly member = 'likes';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly omissible = ['created'] as const;

  /** @param of id of the note, for records that do not name it */
  parse(value: unknown, _envelope?: Envelope, of?: number): NoteLikeRecord {
    const reader = new RecordReader(value);
    return {
      note_id: reader.id('note_id') ?? of ?? reader.requiredId('note_id'),
      user_id: reader.requiredId('user_id'),
      created: reader.time('created'),
    };
  }

  protected override loadValues(records: readonly NoteLikeRecord[]): readonly unknown[] {
    return [JSON.stringify(records)];
  }

  protected override idOf({ note_id }: NoteLikeRecord): number {
    return note_id;
  }

  override key({ note_id, user_id }: NoteLikeRecord): string {
    return `${note_id}-${user_id}`;
  }

  lane({ note_id }: NoteLikeRecord): string {
    return String(note_id);
  }

  async write(executor: SqlExecutor, records: readonly NoteLikeRecord[]): Promise<void> {
    await ensurePlaceholderUsers(
      executor,
      records.map(({ user_id }) => unnamedUser(user_id)),
    );
    const notes = records.map(({ note_id }) => note_id);
    await lockNotes(executor, notes);
    await executor.query(WRITE, [JSON.stringify(records)]);
    await executor.query(RECOUNT, [notes]);
  }

  toJson({ note_id, user_id, created }: NoteLikeRecord): Record<string, unknown> {
    return { note_id: String(note_id), user_id: String(user_id), created };
  }
}
