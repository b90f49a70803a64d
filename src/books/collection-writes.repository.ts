import { Injectable } from '@nestjs/common';
import { Database, statement, type Runner } from '../database/database';
import { type CollectionSource } from './books.resources';
import { OF_BOOK } from './collections.repository';
import { lockBook, NOTHING, retally, type Share } from './tally';

/** Collects a book; also what the benchmark compares with. */
export const ADD = statement(
  'collections.add',
  `INSERT INTO collections (user_id, book_id, status, rating, comment, tags, private)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (user_id, book_id) DO NOTHING RETURNING 1`,
);

const MINE = statement(
  'collections.mine',
  'SELECT rating, tags, private FROM collections WHERE user_id = $1 AND book_id = $2 FOR UPDATE',
);

const CHANGE = statement(
  'collections.change',
  `UPDATE collections SET status = $3, rating = $4, comment = $5, tags = $6, private = $7,
     updated_at = date_trunc('second', now())
   WHERE user_id = $1 AND book_id = $2`,
);

const REMOVE = statement(
  'collections.remove',
  'DELETE FROM collections WHERE user_id = $1 AND book_id = $2 RETURNING rating, tags, private',
);

/** A collection as it shall be. */
export interface NewCollection extends Share {
  readonly status: string;
  readonly comment: string;
}

/** Checks the kind of the locked book; throws when nothing can be collected there. */
export type KindCheck = (kind: string | undefined) => void;

const valuesOf = (userId: number, bookId: number, wanted: NewCollection): unknown[] => [
  userId,
  bookId,
  wanted.status,
  wanted.rating,
  wanted.comment,
  wanted.tags,
  wanted.private,
];

/** Changes of collections, each with what it changes in its book, all or nothing (D20). */
@Injectable()
export class CollectionWritesRepository {
  constructor(private readonly database: Database) {}

  /** The new collection, or undefined when there is one already. */
  add(
    userId: number,
    bookId: number,
    wanted: NewCollection,
    check: KindCheck,
  ): Promise<CollectionSource | undefined> {
    return this.database.transaction(async (runner) => {
      check(await lockBook(runner, bookId));
      const made = await runner.run(ADD, valuesOf(userId, bookId, wanted));
      if (made.length === 0) return undefined;
      await retally(runner, bookId, NOTHING, wanted);
      return this.read(runner, userId, bookId);
    });
  }

  /** The changed collection, or undefined when there is none. */
  change(
    userId: number,
    bookId: number,
    wanted: NewCollection,
    check: KindCheck,
  ): Promise<CollectionSource | undefined> {
    return this.database.transaction(async (runner) => {
      check(await lockBook(runner, bookId));
      const [before] = await runner.run<Share>(MINE, [userId, bookId]);
      if (!before) return undefined;
      await runner.run(CHANGE, valuesOf(userId, bookId, wanted));
      await retally(runner, bookId, before, wanted);
      return this.read(runner, userId, bookId);
    });
  }

  /** Whether there was one to remove. */
  remove(userId: number, bookId: number, check: KindCheck): Promise<boolean> {
    return this.database.transaction(async (runner) => {
      check(await lockBook(runner, bookId));
      const [before] = await runner.run<Share>(REMOVE, [userId, bookId]);
      if (before) await retally(runner, bookId, before, NOTHING);
      return before !== undefined;
    });
  }

  private async read(runner: Runner, userId: number, bookId: number): Promise<CollectionSource> {
    const [row] = await runner.run<CollectionSource>(OF_BOOK, [bookId, userId, userId]);
    return row as CollectionSource;
  }
}
