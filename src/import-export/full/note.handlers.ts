import { type SqlExecutor } from '../../database/database';
import { rejectNotesOfOthers } from '../engine/assigned-ids';
import {
  deleteConflictsOfPlaceholders,
  insertConflictingNote,
  rejectContentOfOthers,
  type ContentReference,
} from '../engine/conflicting-records';
import { RecordError } from '../engine/record';
import { RowHandler, type RowRecord } from './row.handler';

/** Imports and exports notes of which only the id is known. Only part of full exports. */
export class NotePlaceholderHandler extends RowHandler {
  constructor() {
    super({
      name: 'note-placeholder',
      table: 'notes',
      columns: ['privacy', 'published_at', 'updated_at'],
      placeholders: 't.placeholder',
    });
  }

  /**
   * @throws RecordError for the id of a note of a user who has registered here, or of a note that a
   *   user has written during the import
   */
  override async write(executor: SqlExecutor, records: readonly RowRecord[]): Promise<void> {
    await super.write(executor, records);
    const ids = records.map(({ id }) => id);
    await rejectNotesOfOthers(executor, ids);
    const notes = ids.map((id) => ({ kind: 'note', id, owner: undefined }) as const);
    await rejectContentOfOthers(executor, notes);
    await deleteConflictsOfPlaceholders(executor, ids);
  }

  /** Stores a conflict, so that replies to the note are rejected, too. */
  async onRejected(executor: SqlExecutor, { id }: RowRecord): Promise<void> {
    await insertConflictingNote(executor, id);
  }
}

/** Imports and exports earlier versions of notes. Only part of full exports. */
export class NoteVersionHandler extends RowHandler {
  constructor() {
    super({
      name: 'note-version',
      table: 'note_versions',
      columns: ['note_id', 'title', 'content', 'replaced_at'],
    });
  }

  /** @throws RecordError when the id belongs to another version */
  override async write(
    executor: SqlExecutor,
    records: readonly RowRecord[],
    stored?: ReadonlyMap<string, RowRecord>,
  ): Promise<void> {
    const versionOf = ({ row }: RowRecord): string =>
      `${String(row.note_id)} ${String(row.replaced_at)}`;
    for (const record of records) {
      const existing = stored?.get(String(record.id));
      if (existing && versionOf(existing) !== versionOf(record))
        throw new RecordError(`the id ${record.id} belongs to another version of a note`);
    }
    await super.write(executor, records);
  }

  referencedContent({ row }: RowRecord): readonly ContentReference[] {
    return [{ kind: 'note', id: Number(row.note_id) }];
  }
}
