import { statement, type BoundStatement, type SqlExecutor } from '../database/database';
import { fold } from '../text/fold';

// Sums and numbers of ratings; the average is computed on read (`AVERAGE` in books.sql.ts).
// The benchmark uses the exported statements too. Every change of a book's counters locks its row
// first, so that changes of one book are serialized and cannot deadlock.
export const LOCK = statement(
  'book_counters.lock_book',
  'SELECT kind, placeholder FROM books WHERE id = $1 FOR NO KEY UPDATE',
);

// Ranking reads the search table, so the same statement updates it.
export const RATE = statement(
  'book_counters.rate',
  `WITH rated AS (
     UPDATE books SET rating_count = rating_count + $2, rating_sum = rating_sum + $3
     WHERE id = $1 RETURNING id, rating_base_count + rating_count AS popularity)
   UPDATE book_search s SET popularity = r.popularity FROM rated r
   WHERE s.book_id = r.id AND s.popularity <> r.popularity`,
);

export const ADD_TAGS = statement(
  'book_counters.add_tags',
  `INSERT INTO book_tags (book_id, name, folded, used_count)
   SELECT $1, t.name, t.folded, 1 FROM unnest($2::text[], $3::text[]) AS t(name, folded)
   ON CONFLICT (book_id, name) DO UPDATE SET used_count = book_tags.used_count + 1`,
);

const DROP_TAGS = statement(
  'book_counters.drop_tags',
  `UPDATE book_tags SET used_count = used_count - 1
   WHERE book_id = $1 AND name = ANY($2::text[]) AND used_count > 0`,
);

const REMOVE_UNUSED = statement(
  'book_counters.remove_unused_tags',
  `DELETE FROM book_tags
   WHERE book_id = $1 AND name = ANY($2::text[]) AND base_count = 0 AND used_count = 0`,
);

/** The contribution of a collection to the counters of its book (D20). */
export interface Contribution {
  readonly rating: number | null;
  readonly tags: readonly string[];
  /** Hidden from others: private, or in the moderation queue. */
  readonly private: boolean;
}

/** The contribution of a missing collection. */
export const NO_CONTRIBUTION: Contribution = { rating: null, tags: [], private: false };

/** Tags of hidden collections are not counted, because the counters would reveal the words. */
export const countedTags = (contribution: Contribution): readonly string[] =>
  contribution.private ? [] : contribution.tags;

/** What {@link LOCK} reads. */
export interface LockedBook {
  readonly kind: string;
  readonly placeholder: boolean;
}

/** The kind of a locked book; undefined when it does not exist or is a placeholder. */
export const kindOfLocked = ([book]: readonly LockedBook[]): string | undefined =>
  book?.placeholder === false ? book.kind : undefined;

/** Locks a book before a change of its counters. @returns its kind, as {@link kindOfLocked} */
export const lockBook = async (
  executor: SqlExecutor,
  bookId: number,
): Promise<string | undefined> => kindOfLocked(await executor.query<LockedBook>(LOCK, [bookId]));

/**
 * Statements that update the rating and tag counters of a locked book from one contribution to
 * another (D20).
 */
export function counterChanges(
  bookId: number,
  before: Contribution,
  after: Contribution,
): BoundStatement[] {
  const count = Number(after.rating !== null) - Number(before.rating !== null);
  const sum = (after.rating ?? 0) - (before.rating ?? 0);
  const [old, fresh] = [new Set(countedTags(before)), new Set(countedTags(after))];
  const added = [...fresh].filter((tag) => !old.has(tag));
  const dropped = [...old].filter((tag) => !fresh.has(tag));
  const changes: BoundStatement[] = [];
  if (count !== 0 || sum !== 0) changes.push([RATE, [bookId, count, sum]]);
  if (added.length > 0) changes.push([ADD_TAGS, [bookId, added, added.map(fold)]]);
  if (dropped.length > 0) {
    changes.push([DROP_TAGS, [bookId, dropped]], [REMOVE_UNUSED, [bookId, dropped]]);
  }
  return changes;
}

/** Runs the statements of {@link counterChanges}. */
export async function applyCounterDelta(
  executor: SqlExecutor,
  bookId: number,
  before: Contribution,
  after: Contribution,
): Promise<void> {
  for (const [what, values] of counterChanges(bookId, before, after))
    await executor.query(what, values);
}
