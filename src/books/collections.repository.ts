import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { type ModerationFlag } from '../api/writes/moderation';
import { Database, finishWith, statement, type TransactionHooks } from '../database/database';
import { toPage, type PageRow } from '../database/page-of';
import {
  enqueueForReview,
  reviewEdit,
  type ModeratedContent,
} from '../moderation/moderation-queue.repository';
import { authorOnlySql, isVisibleSql } from '../moderation/visibility.sql';
import { fold } from '../text/fold';
import {
  counterChanges,
  countedTags,
  kindOfLocked,
  LOCK,
  lockBook,
  NO_CONTRIBUTION,
  type Contribution,
  type LockedBook,
} from './book-counters';
import { type CollectionsInput } from './books.input';
import { type CollectionSource } from './books.resources';
import { bookJson, BOOK_TABLES, COLLECTION_COLUMNS } from './books.sql';
import { userCollections } from './user-collections.sql';

/** A user's collection of a book, if it is visible to the viewer. */
export const OF_BOOK = statement(
  'collections.of_book',
  `SELECT ${COLLECTION_COLUMNS}, ${bookJson('b', 's')} AS book
   FROM collections c, ${BOOK_TABLES}
   WHERE b.id = c.book_id AND c.book_id = $1 AND c.user_id = $2
     AND ${isVisibleSql('c', '$3')}`,
);

/**
 * Inserts a collection and counts it in the locked book, if that exists. Values: those of
 * `valuesOf`, then names and folded names of the counted tags.
 */
const ADD_AND_COUNT = statement(
  'collections.add_and_count',
  `WITH inserted AS (
     INSERT INTO collections (user_id, book_id, status, rating, comment, tags, private, hidden)
     SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM books WHERE id = $2
     ON CONFLICT (user_id, book_id) DO NOTHING RETURNING id, book_id, rating
   ), tagged AS (
     INSERT INTO book_tags (book_id, name, folded, used_count)
     SELECT i.book_id, t.name, t.folded, 1
     FROM inserted i, unnest($9::text[], $10::text[]) AS t(name, folded)
     ON CONFLICT (book_id, name) DO UPDATE SET used_count = book_tags.used_count + 1
   ), rated AS (
     UPDATE books b SET rating_count = rating_count + 1, rating_sum = rating_sum + i.rating
     FROM inserted i WHERE b.id = i.book_id AND i.rating IS NOT NULL
     RETURNING b.id, b.rating_base_count + b.rating_count AS popularity
   ), ranked AS (
     UPDATE book_search s SET popularity = r.popularity FROM rated r
     WHERE s.book_id = r.id AND s.popularity <> r.popularity)
   SELECT id::float8 AS id FROM inserted`,
);

const MINE = statement(
  'collections.mine',
  `SELECT id::float8 AS id, rating, tags, ${authorOnlySql('c')} AS private, hidden
   FROM collections c WHERE user_id = $1 AND book_id = $2 FOR UPDATE`,
);

const CHANGE = statement(
  'collections.change',
  `UPDATE collections SET status = $3, rating = $4, comment = $5, tags = $6, private = $7, hidden = $8,
     updated_at = date_trunc('second', now())
   WHERE user_id = $1 AND book_id = $2`,
);

const REMOVE = statement(
  'collections.remove',
  `DELETE FROM collections c WHERE user_id = $1 AND book_id = $2
   RETURNING rating, tags, ${authorOnlySql('c')} AS private`,
);

/** The new state of a collection. */
export interface NewCollection extends Contribution {
  readonly status: string;
  readonly comment: string;
  readonly moderationFlag: ModerationFlag | undefined;
}

/** Checks the kind of the locked book; throws when it cannot be collected. */
export type KindCheck = (kind: string | undefined) => void;

/** A stored collection; `private` when hidden from others for any reason. */
interface StoredCollection extends Contribution {
  readonly id: number;
  readonly hidden: boolean;
}

const writingOf = (id: number, userId: number, wanted: NewCollection): ModeratedContent => ({
  kind: 'collection',
  id,
  userId,
  moderationFlag: wanted.moderationFlag,
  text: [wanted.comment, ...wanted.tags].join('\n'),
});

const contributionOf = (wanted: NewCollection, hidden: boolean): Contribution => ({
  ...wanted,
  private: wanted.private || hidden,
});

const valuesOf = (
  userId: number,
  bookId: number,
  wanted: NewCollection,
  hidden: boolean,
): unknown[] => [
  userId,
  bookId,
  wanted.status,
  wanted.rating,
  wanted.comment,
  wanted.tags,
  wanted.private,
  hidden,
];

/** Collections. Writes update the counters of their books in the same transaction (D20). */
@Injectable()
export class CollectionsRepository {
  constructor(private readonly database: Database) {}

  /** A user's collections visible to `viewer`, newest first (D21). */
  async listUserCollections(
    userId: number,
    viewer: number | undefined,
    filter: CollectionsInput,
    page: PageQuery,
  ): Promise<Page<CollectionSource>> {
    const { statement: list, values } = userCollections(userId, viewer, filter, page);
    const rows = await this.database.query<CollectionSource & PageRow>(list, values);
    return toPage(rows, page.start);
  }

  /** A user's collection of a book, if it is visible to `viewer` (D21). */
  async findCollection(
    bookId: number,
    userId: number,
    viewer: number | undefined,
  ): Promise<CollectionSource | undefined> {
    const values = [bookId, userId, viewer ?? null];
    const [row] = await this.database.query<CollectionSource>(OF_BOOK, values);
    return row;
  }

  /** The new collection, or undefined when it already exists. */
  insertCollection(
    userId: number,
    bookId: number,
    wanted: NewCollection,
    check: KindCheck,
    hooks?: TransactionHooks,
  ): Promise<CollectionSource | undefined> {
    return this.database.transaction(async (executor) => {
      const hidden = wanted.moderationFlag !== undefined;
      const values = valuesOf(userId, bookId, wanted, hidden);
      const tags = [...new Set(countedTags(contributionOf(wanted, hidden)))];
      // If `check` throws, the insert is rolled back.
      const [books, [made]] = await executor.queryAll<[LockedBook, { id: number }]>(
        [LOCK, [bookId]],
        [ADD_AND_COUNT, [...values, tags, tags.map(fold)]],
      );
      check(kindOfLocked(books));
      if (!made) return undefined;
      await enqueueForReview(executor, writingOf(made.id, userId, wanted));
      return finishWith<CollectionSource>(executor, OF_BOOK, [bookId, userId, userId]);
    }, hooks);
  }

  /** The changed collection, or undefined when not found. */
  updateCollection(
    userId: number,
    bookId: number,
    wanted: NewCollection,
    check: KindCheck,
  ): Promise<CollectionSource | undefined> {
    return this.database.transaction(async (executor) => {
      check(await lockBook(executor, bookId));
      const [before] = await executor.query<StoredCollection>(MINE, [userId, bookId]);
      if (!before) return undefined;
      const writing = writingOf(before.id, userId, wanted);
      const hidden = await reviewEdit(executor, writing, before.hidden);
      await executor.queryAll(
        [CHANGE, valuesOf(userId, bookId, wanted, hidden)],
        ...counterChanges(bookId, before, contributionOf(wanted, hidden)),
      );
      return finishWith<CollectionSource>(executor, OF_BOOK, [bookId, userId, userId]);
    });
  }

  /**
   * Deletes a collection. The book is only checked when there was no collection, so that a
   * collection of a deleted book can be deleted. @returns whether it existed
   */
  deleteCollection(userId: number, bookId: number, check: KindCheck): Promise<boolean> {
    return this.database.transaction(async (executor) => {
      const kind = await lockBook(executor, bookId);
      if (kind !== undefined) check(kind);
      const [before] = await executor.query<Contribution>(REMOVE, [userId, bookId]);
      if (before) await executor.queryAll(...counterChanges(bookId, before, NO_CONTRIBUTION));
      else check(kind);
      return before !== undefined;
    });
  }
}
