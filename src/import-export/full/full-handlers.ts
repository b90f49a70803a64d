import { Injectable } from '@nestjs/common';
import { PictureStorage } from '../../images/picture-storage';
import { QUEUED_TYPES } from '../../moderation/moderation-queue.repository';
import { REPORTED_KINDS } from '../../moderation/reported-kinds';
import { type RecordHandler } from '../engine/record-handler';
import { RecordHandlers } from '../engine/handlers';
import { type CreditRecord } from '../movies/credit.record';
import { BannedWordHandler } from './banned-word.handler';
import { BookSourceHandler } from './book-source.handler';
import { EntryHandler } from './entry.handler';
import { WithExtraColumns } from './with-extra-columns.handler';
import { NumberedCreditHandler } from './numbered-credit.handler';
import { MergedRecordHandler } from './merged-record.handler';
import { NotePlaceholderHandler, NoteVersionHandler } from './note.handlers';
import { PictureHandler } from './picture.handler';
import { RowHandler } from './row.handler';
import { BLOCK, UserPlaceholderHandler } from './user-placeholder.handler';

/** Current names of kinds by their former name in full exports. */
export const RENAMED_KINDS: ReadonlyMap<string, string> = new Map([
  ['user-stub', 'user-placeholder'],
  ['book-stub', 'book-placeholder'],
  ['loc-stub', 'loc-placeholder'],
  ['note-stub', 'note-placeholder'],
  ['held-text', 'moderation-entry'],
]);

/** Columns that existing rows keep, by kind: only administrators block users and end blocks. */
const KEPT_COLUMNS: Readonly<Record<string, readonly string[]>> = { user: BLOCK };

/** Additional columns by kind: columns of the table that the kind's records do not contain. */
const EXTRA_COLUMNS: Readonly<
  Record<string, readonly [table: string, columns: readonly string[]]>
> = {
  user: ['users', [...BLOCK, 'created_at']],
  book: ['books', ['created_at', 'updated_at', 'deleted_at']],
  annotation: ['annotations', ['created_at']],
  loc: ['cities', ['created_at', 'deleted_at']],
  movie: ['subjects', ['created_at', 'updated_at', 'deleted_at']],
  celebrity: ['celebrities', ['created_at', 'updated_at', 'deleted_at']],
  'movie-review': ['movie_reviews', ['updated_at']],
  event: ['events', ['created_at', 'updated_at', 'deleted_at']],
};

const PLACEHOLDERS = [
  new UserPlaceholderHandler(),
  new RowHandler({
    name: 'book-placeholder',
    table: 'books',
    columns: ['title', 'created_at', 'updated_at'],
    placeholders: 't.placeholder AND t.deleted_at IS NULL',
  }),
  new RowHandler({
    name: 'loc-placeholder',
    table: 'cities',
    columns: ['uid', 'name', 'parent', 'habitable', 'time_zone', 'created_at'],
    placeholders: 't.placeholder AND t.deleted_at IS NULL',
  }),
  new NotePlaceholderHandler(),
];

/**
 * Moderation data. Queue entries come before the hidden texts. Otherwise moderators would see those
 * texts as new.
 */
const MODERATION = [
  new BannedWordHandler(),
  new EntryHandler({
    name: 'moderation-entry',
    table: 'moderation_queue',
    about: QUEUED_TYPES,
    of: ['kind', 'target_id'],
    columns: [
      ...['user_id', 'words', 'excerpt', 'created_at'],
      ...['decision', 'decided_at', 'decided_by'],
    ],
    isOfAuthor: true,
  }),
];

/** Reports come after the content, because those of rejected content are rejected. */
const REPORTS = new EntryHandler({
  name: 'report',
  table: 'reports',
  about: REPORTED_KINDS,
  of: ['kind', 'target_id', 'user_id'],
  columns: ['reason', 'created_at', 'decision', 'decided_at', 'decided_by', 'comment'],
});

/**
 * The record handlers of a full export in import order: placeholders, series, users, moderation data,
 * all other kinds, versions of notes, reports, sources of books, merges and pictures.
 */
@Injectable()
export class FullHandlers {
  readonly all: readonly RecordHandler[];

  constructor(kinds: RecordHandlers, storage: PictureStorage) {
    this.all = [
      ...PLACEHOLDERS,
      new RowHandler({ name: 'series', table: 'series', columns: ['title'] }),
      ...kinds.all.flatMap((kind): RecordHandler[] => {
        if (kind.name === 'credit')
          return [new NumberedCreditHandler(kind as RecordHandler<CreditRecord>)];
        const [table, columns] = EXTRA_COLUMNS[kind.name] ?? [];
        const handler =
          table === undefined
            ? kind
            : new WithExtraColumns(kind, table, columns ?? [], KEPT_COLUMNS[kind.name]);
        return kind.name === 'user' ? [handler, ...MODERATION] : [handler];
      }),
      new NoteVersionHandler(),
      REPORTS,
      new BookSourceHandler(),
      new MergedRecordHandler(),
      new PictureHandler(storage),
    ];
  }

  /**
   * Finds a kind by its name, or by the name that earlier versions exported.
   * @throws Error for an unsupported kind
   */
  named(name: string): RecordHandler {
    const current = RENAMED_KINDS.get(name) ?? name;
    const kind = this.all.find((one) => one.name === current);
    if (kind) return kind;
    throw new Error(`the export has an unsupported kind: ${name}`);
  }
}
