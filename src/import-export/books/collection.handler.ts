import { cleanText } from '../../api/input/text-input';
import { statement, type SqlExecutor } from '../../database/database';
import { rejectConcurrentInserts } from '../engine/assigned-ids';
import { recordTime } from '../engine/record-time';
import { authorOnlySql } from '../../moderation/visibility.sql';
import { enqueueImported, hideRejected } from '../../moderation/moderation-queue.repository';
import { type BookRecord } from './book.record';
import { type BookHandler } from './book.handler';
import { followMerges } from '../engine/merged-references';
import { StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { lockBooks } from '../engine/recount';
import { insertConflictingCollections } from '../engine/conflicting-records';
import { reserveIds } from '../engine/sequences';
import { countCollections, type CountedCollection } from './collection-counters';
import { bookReference, ensureUsersAndBooks, readBook, rowOf } from './book-text';

/** A collection in a file: specification section 2.4, with its privacy. */
export interface CollectionRecord {
  /**
   * The id of a new row, unless another one has it; absent in handwritten files. User and book
   * identify a collection. A stored row keeps its id, to which entries of the moderation queue and
   * reports refer.
   */
  readonly id: number | undefined;
  readonly user_id: number;
  readonly book_id: number;
  readonly status: string;
  readonly rating: number | null;
  readonly comment: string;
  readonly tags: readonly string[];
  /** Undefined if the file omits it. A new record is then public. */
  readonly private: boolean | undefined;
  /** Hidden: it is in the moderation queue or was rejected. */
  readonly hidden: boolean;
  readonly updated: string | undefined;
  /** The nested book. */
  readonly book?: BookRecord | undefined;
}

interface WrittenRow extends CountedCollection {
  /** Whether it was stored before. */
  readonly replaced: boolean;
}

const STATUS: Readonly<Record<string, string>> = {
  wish: 'wish',
  reading: 'reading',
  doing: 'reading',
  do: 'reading',
  read: 'read',
  done: 'read',
  collect: 'read',
};

const COLUMNS = `c.id::float8 AS id, c.user_id::float8 AS user_id, c.book_id::float8 AS book_id,
  c.status, c.rating, c.comment, array_to_json(c.tags) AS tags, c.private, c.hidden,
  ${recordTime('c.updated_at')} AS updated`;

const LOAD = statement(
  'import_export.collections',
  `SELECT ${COLUMNS} FROM collections c
   JOIN unnest($1::bigint[], $2::bigint[]) AS r(user_id, book_id)
     ON r.user_id = c.user_id AND r.book_id = c.book_id`,
);
const AFTER = statement(
  'import_export.collections_after',
  `SELECT ${COLUMNS} FROM collections c WHERE c.id > $1 ORDER BY c.id LIMIT $2`,
);

/** What stored collections contribute to the counters of their books. */
const COUNTED = `id::float8 AS id, user_id::float8 AS user_id, book_id::float8 AS book_id,
  rating, array_to_json(tags) AS tags, ${authorOnlySql('collections')} AS author_only`;

const BEFORE = statement(
  'import_export.counted_collections',
  `SELECT ${COUNTED} FROM collections
   JOIN unnest($1::bigint[], $2::bigint[]) AS r(user_id, book_id) USING (user_id, book_id)`,
);

const WRITE = statement(
  'import_export.write_collections',
  `INSERT INTO collections (id, user_id, book_id, status, rating, comment, tags, private, hidden, updated_at)
   SELECT CASE WHEN r.id IS NULL OR EXISTS (SELECT 1 FROM collections c WHERE c.id = r.id)
       THEN nextval('collections_id_seq') ELSE r.id END, r.user_id, r.book_id, r.status, r.rating,
     r.comment, r.tags, coalesce(r.private, false), r.hidden, coalesce(r.updated, date_trunc('second', now()))
   FROM json_to_recordset($1::json) AS r(id bigint, user_id bigint, book_id bigint, status text,
     rating smallint, comment text, tags text[], private boolean, hidden boolean, updated timestamptz)
   ORDER BY r.book_id, r.user_id
   ON CONFLICT (user_id, book_id) DO UPDATE SET status = EXCLUDED.status,
     rating = EXCLUDED.rating, comment = EXCLUDED.comment, tags = EXCLUDED.tags,
     private = EXCLUDED.private, hidden = collections.hidden OR EXCLUDED.hidden, updated_at = EXCLUDED.updated_at
   RETURNING ${COUNTED}, xmax <> 0 AS replaced`,
);

/** Undefined if it is omitted. @throws RecordError for another value than `private` and `public` */
function readPrivate(reader: RecordReader): boolean | undefined {
  const privacy = reader.text('privacy');
  if (privacy === '') return undefined;
  if (privacy !== 'private' && privacy !== 'public')
    throw new RecordError('privacy must be private or public');
  return privacy === 'private';
}

/**
 * Imports and exports collections. Their ratings and tags update the counters of the books in the
 * same transaction (D20).
 */
export class CollectionHandler extends StoredHandler<CollectionRecord> {
  readonly name = 'collection';
  readonly member = 'collections';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly mergedReference = bookReference<CollectionRecord>();
  // Responses of the API have no privacy.
  protected override readonly omissible = ['updated', 'private'] as const;
  protected override readonly permanent = ['hidden'] as const;
  protected override readonly unchanging = ['id'] as const;

  constructor(private readonly books: BookHandler) {
    super();
  }

  parse(value: unknown): CollectionRecord {
    const reader = new RecordReader(value);
    const status = STATUS[reader.requiredText('status')];
    if (status === undefined) throw new RecordError('status must be wish, reading or read');
    return {
      id: reader.id('id'),
      user_id: reader.requiredId('user_id'),
      ...readBook(reader),
      status,
      rating: reader.stars(),
      comment: reader.text('comment'),
      // Tags are normalized like search queries, because clients filter by tag.
      tags: [...new Set(reader.texts('tags').map(cleanText))].filter((tag) => tag !== ''),
      private: readPrivate(reader),
      hidden: reader.raw('hidden') === true,
      updated: reader.time('updated'),
    };
  }

  /**
   * Locks the books before the stored collections are read, as users do who change their
   * collections. Otherwise an omitted privacy could replace one that a user sets meanwhile.
   */
  override async lockRows(
    executor: SqlExecutor,
    records: readonly CollectionRecord[],
  ): Promise<void> {
    if (!records.some((record) => this.needsStored(record))) return;
    // Of all records: `write` locks them, too, and both must be in the order of the ids.
    const current = await followMerges(executor, this.mergedReference, records);
    await lockBooks(
      executor,
      current.map(({ book_id }) => book_id),
    );
  }

  override key({ user_id, book_id }: Pick<CollectionRecord, 'user_id' | 'book_id'>): string {
    return `${user_id} ${book_id}`;
  }

  protected override loadValues(records: readonly CollectionRecord[]): readonly unknown[] {
    return [records.map(({ user_id }) => user_id), records.map(({ book_id }) => book_id)];
  }

  async write(
    executor: SqlExecutor,
    input: readonly CollectionRecord[],
    stored?: ReadonlyMap<string, CollectionRecord>,
  ): Promise<void> {
    const records = await hideRejected(executor, 'collection', input);
    await ensureUsersAndBooks(executor, this.books, records);
    const books = records.map(({ book_id }) => book_id);
    // Those that were inserted, or merged into others, too.
    await lockBooks(executor, books);
    await reserveIds(
      executor,
      'collections',
      records.map(({ id }) => id),
    );
    const before = await executor.query<CountedCollection>(BEFORE, this.loadValues(records));
    const rows = await executor.query<WrittenRow>(WRITE, [JSON.stringify(records.map(rowOf))]);
    const replaced = rows.filter((row) => row.replaced).map((row) => this.key(row));
    rejectConcurrentInserts(replaced, stored);
    const written = new Map(rows.map((row) => [this.key(row), row.id]));
    await enqueueImported(
      executor,
      'collection',
      records.map((record) => ({ ...record, id: written.get(this.key(record)) as number })),
      ({ comment, tags }) => [comment, ...tags].join('\n'),
    );
    await countCollections(executor, before, rows);
    const taken = records.flatMap((record) =>
      record.id === undefined || written.get(this.key(record)) === record.id ? [] : [record.id],
    );
    await insertConflictingCollections(executor, taken);
  }

  toJson(record: CollectionRecord): Record<string, unknown> {
    const { id, user_id, book_id, status, rating, comment, tags, updated } = record;
    return {
      id,
      user_id: String(user_id),
      book_id: String(book_id),
      status,
      ...(rating === null ? {} : { rating: { max: 5, min: 0, value: String(rating) } }),
      comment,
      tags,
      privacy: record.private ? 'private' : 'public',
      ...(record.hidden ? { hidden: true } : {}),
      updated,
    };
  }
}
