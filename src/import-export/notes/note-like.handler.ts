import { type SqlExecutor } from '../../database/database';
import { type Envelope } from '../engine/record-handler';
import { PairHandler } from '../engine/pair.handler';
import { RecordReader } from '../engine/record';
import { ensureUsersOf } from '../users/authors';
import { type ContentReference } from '../engine/conflicting-records';
import { lockNotes, recountOfNotes } from './note-counters';

/** A user's like of a note. */
export interface NoteLikeRecord {
  readonly note_id: number;
  readonly user_id: number;
  /** When the user liked it; an omitted value keeps the stored one. */
  readonly created: string | undefined;
}

// The number of notes makes about one batch.
const NEXT_NOTES = `SELECT s.id FROM (
    SELECT n.id, sum(n.likes) OVER (ORDER BY n.id) - n.likes AS before
    FROM (SELECT DISTINCT note_id FROM note_likes WHERE note_id > $1
      ORDER BY note_id LIMIT $2) d JOIN notes n ON n.id = d.note_id) s
  WHERE s.before < $2`;
const RECOUNT = recountOfNotes('likes', 'note_likes');

/**
 * Imports and exports likes of notes, and updates the counters of the notes in the same
 * transaction.
 */
export class NoteLikeHandler extends PairHandler<NoteLikeRecord> {
  readonly name = 'note-like';
  readonly member = 'likes';

  constructor() {
    super({ table: 'note_likes', columns: ['note_id', 'user_id'], nextIds: NEXT_NOTES });
  }

  /** @param of id of the note, for records that do not name it */
  parse(value: unknown, _envelope?: Envelope, of?: number): NoteLikeRecord {
    const reader = new RecordReader(value);
    return {
      note_id: reader.id('note_id') ?? of ?? reader.requiredId('note_id'),
      user_id: reader.requiredId('user_id'),
      created: reader.time('created'),
    };
  }

  lane({ note_id }: NoteLikeRecord): string {
    return String(note_id);
  }

  referencedContent({ note_id }: NoteLikeRecord): readonly ContentReference[] {
    return [{ kind: 'note', id: note_id }];
  }

  override async write(executor: SqlExecutor, records: readonly NoteLikeRecord[]): Promise<void> {
    await ensureUsersOf(executor, records);
    const notes = records.map(({ note_id }) => note_id);
    await lockNotes(executor, notes);
    await super.write(executor, records);
    await executor.query(RECOUNT, [notes]);
  }
}
