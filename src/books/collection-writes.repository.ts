import { Injectable } from '@nestjs/common';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { type ModerationFlag } from '../api/writes/moderation';
import {
  reviewEdit,
  enqueueForReview,
  type ModeratedContent,
} from '../moderation/moderation-queue.repository';
import { type CollectionSource } from './books.resources';
import { OF_BOOK } from './collections.repository';
import { authorOnlySql } from '../moderation/visibility.sql';
import { lockBook, NO_CONTRIBUTION, applyCounterDelta, type Contribution } from './book-counters';

/** Inserts a collection; the benchmark uses it too. */
export const ADD = statement(
  'collections.add',
  `INSERT INTO collections (user_id, book_id, status, rating, comment, tags, private, hidden)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (user_id, book_id) DO NOTHING RETURNING id::float8 AS id`,
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

const shareOf = (wanted: NewCollection, hidden: boolean): Contribution => ({
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

/** Writes collections and the counters of their books in one transaction (D20). */
@Injectable()
export class CollectionWritesRepository {
  constructor(private readonly database: Database) {}

  /** The new collection, or undefined when it exists already. */
  add(
    userId: number,
    bookId: number,
    wanted: NewCollection,
    check: KindCheck,
    hooks?: TransactionHooks,
  ): Promise<CollectionSource | undefined> {
    return this.database.transaction(async (executor) => {
      check(await lockBook(executor, bookId));
      const hidden = wanted.moderationFlag !== undefined;
      const values = valuesOf(userId, bookId, wanted, hidden);
      const [made] = await executor.query<{ id: number }>(ADD, values);
      if (!made) return undefined;
      await enqueueForReview(executor, writingOf(made.id, userId, wanted));
      await applyCounterDelta(executor, bookId, NO_CONTRIBUTION, shareOf(wanted, hidden));
      return this.read(executor, userId, bookId);
    }, hooks);
  }

  /** The changed collection, or undefined when not found. */
  change(
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
      await executor.query(CHANGE, valuesOf(userId, bookId, wanted, hidden));
      await applyCounterDelta(executor, bookId, before, shareOf(wanted, hidden));
      return this.read(executor, userId, bookId);
    });
  }

  /**
   * Deletes a collection. The book is only checked when there was no collection, so that a
   * collection of a deleted book can be deleted. @returns whether it existed
   */
  remove(userId: number, bookId: number, check: KindCheck): Promise<boolean> {
    return this.database.transaction(async (executor) => {
      const kind = await lockBook(executor, bookId);
      if (kind !== undefined) check(kind);
      const [before] = await executor.query<Contribution>(REMOVE, [userId, bookId]);
      if (before) await applyCounterDelta(executor, bookId, before, NO_CONTRIBUTION);
      else check(kind);
      return before !== undefined;
    });
  }

  private async read(
    executor: SqlExecutor,
    userId: number,
    bookId: number,
  ): Promise<CollectionSource> {
    const [row] = await executor.query<CollectionSource>(OF_BOOK, [bookId, userId, userId]);
    return row as CollectionSource;
  }
}
