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
import { PictureHandler } from './picture.handler';
import { RowHandler } from './row.handler';

/** Additional columns by kind: columns of the table that the kind's records do not contain. */
const KEPT: Readonly<Record<string, readonly [table: string, columns: readonly string[]]>> = {
  user: ['users', ['blocked_at', 'created_at']],
  book: ['books', ['created_at', 'updated_at', 'removed_at']],
  annotation: ['annotations', ['created_at']],
  loc: ['cities', ['created_at', 'removed_at']],
  movie: ['subjects', ['created_at', 'updated_at', 'removed_at']],
  celebrity: ['celebrities', ['created_at', 'updated_at', 'removed_at']],
  'movie-review': ['movie_reviews', ['updated_at']],
  event: ['events', ['created_at', 'updated_at', 'removed_at']],
};

const STUBS = [
  new RowHandler({
    name: 'user-stub',
    table: 'users',
    columns: ['uid', 'name', 'signature', 'avatar', 'blocked_at', 'created_at'],
    stubs: 't.stub',
  }),
  new RowHandler({
    name: 'book-stub',
    table: 'books',
    columns: ['title', 'created_at', 'updated_at'],
    stubs: 't.stub AND t.removed_at IS NULL',
  }),
  new RowHandler({
    name: 'loc-stub',
    table: 'cities',
    columns: ['uid', 'name', 'parent', 'habitable', 'time_zone', 'created_at'],
    stubs: 't.stub AND t.removed_at IS NULL',
  }),
  new RowHandler({
    name: 'note-stub',
    table: 'notes',
    columns: ['privacy', 'published_at', 'updated_at'],
    stubs: 't.stub',
  }),
];

/**
 * Moderation data. Queue entries come before the hidden texts. Otherwise moderators would see those
 * texts as new.
 */
const MODERATION = [
  new BannedWordHandler(),
  new EntryHandler({
    name: 'held-text',
    table: 'held_content',
    about: QUEUED_TYPES,
    of: ['kind', 'target_id'],
    columns: [
      ...['user_id', 'words', 'excerpt', 'created_at'],
      ...['decision', 'decided_at', 'decided_by'],
    ],
  }),
  new EntryHandler({
    name: 'report',
    table: 'reports',
    about: REPORTED_KINDS,
    of: ['kind', 'target_id', 'user_id'],
    columns: ['reason', 'created_at', 'decision', 'decided_at', 'decided_by', 'comment'],
  }),
];

/**
 * The record handlers of a full export in import order: placeholders, series, all other kinds,
 * moderation data, pictures and the audit log.
 */
@Injectable()
export class FullHandlers {
  readonly all: readonly RecordHandler[];

  constructor(kinds: RecordHandlers, storage: PictureStorage) {
    this.all = [
      ...STUBS,
      new RowHandler({ name: 'series', table: 'series', columns: ['title'] }),
      ...kinds.all.flatMap((kind): RecordHandler[] => {
        if (kind.name === 'credit')
          return [new NumberedCreditHandler(kind as RecordHandler<CreditRecord>)];
        const [table, columns] = KEPT[kind.name] ?? [];
        const whole = table === undefined ? kind : new WithExtraColumns(kind, table, columns ?? []);
        return kind.name === 'user' ? [whole, ...MODERATION] : [whole];
      }),
      new RowHandler({
        name: 'note-version',
        table: 'note_versions',
        columns: ['note_id', 'title', 'content', 'replaced_at'],
      }),
      new BookSourceHandler(),
      new PictureHandler(storage),
    ];
  }

  /** @throws Error for an unsupported kind */
  named(name: string): RecordHandler {
    const kind = this.all.find((one) => one.name === name);
    if (kind) return kind;
    throw new Error(`the export has an unsupported kind: ${name}`);
  }
}
