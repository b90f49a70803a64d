import { statement, type SqlExecutor } from '../../database/database';
import { recordTime } from '../engine/record-time';
import { enqueueImported, hideRejected } from '../../moderation/moderation-queue.repository';
import { type Envelope } from '../engine/record-handler';
import { statementsById, StoredHandler } from '../engine/stored.handler';
import { RecordReader } from '../engine/record';
import { lockNotes, recountOfNotes } from './note-counters';
import { RETURNING_REPLACED, writeTextRows } from '../engine/assigned-ids';
import { reserveIds } from '../engine/sequences';
import { ownerOf, ensureUsersOf, readRequiredAuthor } from '../users/authors';
import { type ContentReference } from '../engine/conflicting-records';
import { type UserRecord } from '../users/user.handler';

/** A reply to a note in a file (D30), with the note's id. */
export interface NoteReplyRecord {
  readonly id: number;
  readonly note_id: number;
  readonly user_id: number;
  readonly content: string;
  /** Hidden: it is in the moderation queue or was rejected. */
  readonly hidden: boolean;
  readonly created: string | undefined;
  /** The nested author. */
  readonly author: UserRecord | undefined;
}

const COLUMNS = `r.id::float8 AS id, r.note_id::float8 AS note_id, r.user_id::float8 AS user_id,
  r.content, r.hidden, ${recordTime('r.created_at')} AS created`;
const { load: LOAD, after: AFTER } = statementsById({
  name: 'note_replies',
  from: 'note_replies r',
  columns: COLUMNS,
});
const WRITE = statement(
  'import_export.write_note_replies',
  `WITH written AS (
   INSERT INTO note_replies (id, note_id, user_id, content, hidden, created_at)
   SELECT r.id, r.note_id, r.user_id, r.content, r.hidden,
     coalesce(r.created, date_trunc('second', now()))
   FROM json_to_recordset($1::json)
     AS r(id bigint, note_id bigint, user_id bigint, content text, hidden boolean,
       created timestamptz)
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET note_id = EXCLUDED.note_id, user_id = EXCLUDED.user_id,
     content = EXCLUDED.content, hidden = note_replies.hidden OR EXCLUDED.hidden,
     created_at = EXCLUDED.created_at
   ${RETURNING_REPLACED}`,
);
const RECOUNT = recountOfNotes('replies', 'note_replies', 'NOT r.hidden');

/** Imports and exports replies to notes. */
export class NoteReplyHandler extends StoredHandler<NoteReplyRecord> {
  readonly name = 'note-reply';
  readonly member = 'comments';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  readonly ownerOf = ownerOf;
  protected override readonly omissible = ['created'] as const;
  protected override readonly permanent = ['hidden'] as const;

  /** @param of id of the note, for records that do not name it */
  parse(value: unknown, _envelope?: Envelope, of?: number): NoteReplyRecord {
    const reader = new RecordReader(value);
    return {
      id: reader.requiredId('id'),
      note_id: reader.id('note_id') ?? of ?? reader.requiredId('note_id'),
      ...readRequiredAuthor(reader),
      content: reader.requiredText('content'),
      hidden: reader.raw('hidden') === true,
      created: reader.time('created'),
    };
  }

  referencedContent({ note_id }: NoteReplyRecord): readonly ContentReference[] {
    return [{ kind: 'note', id: note_id }];
  }

  async write(
    executor: SqlExecutor,
    input: readonly NoteReplyRecord[],
    stored?: ReadonlyMap<string, NoteReplyRecord>,
  ): Promise<void> {
    const records = await hideRejected(executor, 'note_reply', input);
    await ensureUsersOf(executor, records);
    const notes = records.map(({ note_id }) => note_id);
    // A reply that moves to another note decreases the count of the previous note.
    const before = [...(await this.load(executor, records)).values()].map(({ note_id }) => note_id);
    const counted = [...notes, ...before];
    await lockNotes(executor, counted);
    await reserveIds(
      executor,
      'note_replies',
      records.map(({ id }) => id),
    );
    const rows = records.map(({ author: _author, ...row }) => row);
    await writeTextRows(executor, WRITE, rows, stored);
    await executor.query(RECOUNT, [counted]);
    await enqueueImported(executor, 'note_reply', records, ({ content }) => content);
  }

  toJson({
    id,
    note_id,
    user_id,
    content,
    hidden,
    created,
  }: NoteReplyRecord): Record<string, unknown> {
    return {
      id: String(id),
      note_id: String(note_id),
      author_id: String(user_id),
      content,
      ...(hidden ? { hidden: true } : {}),
      created,
    };
  }
}
