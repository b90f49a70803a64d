import { statement, type Database, type SqlExecutor } from '../../database/database';
import { authorOnlySql } from '../../moderation/visibility.sql';
import { fold } from '../../text/fold';
import { checkCounters } from './counter-check';

// Locks books in id order, so that concurrent imports cannot deadlock. The lock mode is compatible
// with the locks that inserted collections take on their books.
const LOCK = statement(
  'import_export.lock_books',
  'SELECT 1 FROM books WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

const RATINGS = statement(
  'import_export.recount_ratings',
  `UPDATE books b SET rating_count = r.count, rating_sum = r.sum
   FROM (SELECT i.id, count(c.rating)::int AS count, coalesce(sum(c.rating), 0)::int AS sum
         FROM unnest($1::bigint[]) AS i(id) LEFT JOIN collections c ON c.book_id = i.id
         GROUP BY i.id) r
   WHERE b.id = r.id AND (b.rating_count, b.rating_sum) IS DISTINCT FROM (r.count, r.sum)`,
);

const POPULARITY = statement(
  'import_export.recount_popularity',
  `UPDATE book_search s SET popularity = b.rating_base_count + b.rating_count FROM books b
   WHERE b.id = s.book_id AND s.book_id = ANY($1::bigint[])
     AND s.popularity <> b.rating_base_count + b.rating_count`,
);

const USED_TAGS = statement(
  'import_export.used_tags',
  `SELECT c.book_id::float8 AS book_id, tag AS name, count(*)::int AS count
   FROM collections c, unnest(c.tags) AS tag
   WHERE c.book_id = ANY($1::bigint[]) AND NOT ${authorOnlySql('c')}
   GROUP BY c.book_id, tag ORDER BY c.book_id, min(c.id), tag`,
);

const RESET_TAGS = statement(
  'import_export.reset_tags',
  `UPDATE book_tags t SET used_count = 0 WHERE t.book_id = ANY($1::bigint[]) AND t.used_count > 0
     AND NOT EXISTS (SELECT 1 FROM unnest($2::bigint[], $3::text[]) AS r(book_id, name)
       WHERE r.book_id = t.book_id AND r.name = t.name)`,
);

const SET_TAGS = statement(
  'import_export.set_tags',
  `INSERT INTO book_tags (book_id, name, folded, used_count)
   SELECT r.book_id, r.name, CASE WHEN b.kind = 'book' THEN r.folded ELSE '' END, r.uses
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) AS r(book_id, name, folded, uses)
   JOIN books b ON b.id = r.book_id
   ON CONFLICT (book_id, name) DO UPDATE SET used_count = EXCLUDED.used_count
   WHERE book_tags.used_count <> EXCLUDED.used_count`,
);

const REMOVE_TAGS = statement(
  'import_export.remove_tags',
  'DELETE FROM book_tags WHERE book_id = ANY($1::bigint[]) AND base_count = 0 AND used_count = 0',
);

/** Locks books until the transaction ends, as writers of their collections do first. */
export async function lockBooks(executor: SqlExecutor, bookIds: readonly number[]): Promise<void> {
  await executor.query(LOCK, [bookIds]);
}

/** Ranks books in searches by their current numbers of ratings. */
export async function updatePopularity(
  executor: SqlExecutor,
  bookIds: readonly number[],
): Promise<void> {
  await executor.query(POPULARITY, [bookIds]);
}

/**
 * Recomputes the counters of books from their collections: ratings, popularity and tag counts
 * (D20). Tags of collections that others cannot see are excluded, because they would reveal the
 * words.
 */
export async function recountBooks(
  executor: SqlExecutor,
  bookIds: readonly number[],
): Promise<void> {
  const ids = [...new Set(bookIds)];
  if (ids.length === 0) return;
  await executor.query(LOCK, [ids]);
  await executor.query(RATINGS, [ids]);
  await updatePopularity(executor, ids);
  const used = await executor.query<{ book_id: number; name: string; count: number }>(USED_TAGS, [
    ids,
  ]);
  const books = used.map(({ book_id }) => book_id);
  const names = used.map(({ name }) => name);
  await executor.query(RESET_TAGS, [ids, books, names]);
  await executor.query(SET_TAGS, [books, names, names.map(fold), used.map(({ count }) => count)]);
  await executor.query(REMOVE_TAGS, [ids]);
}

// Compares the expected counters of all books with the stored ones.
const DRIFT = statement(
  'import_export.drift',
  `WITH rated AS (
     SELECT b.id, b.rating_count AS count, b.rating_sum AS sum,
       count(c.rating)::int AS right_count, coalesce(sum(c.rating), 0)::int AS right_sum
     FROM books b LEFT JOIN collections c ON c.book_id = b.id GROUP BY b.id),
   used AS (
     SELECT c.book_id, tag AS name, count(*)::int AS right_count
     FROM collections c, unnest(c.tags) AS tag WHERE NOT ${authorOnlySql('c')} GROUP BY c.book_id, tag),
   tagged AS (
     SELECT coalesce(t.book_id, u.book_id) AS book_id, coalesce(t.name, u.name) AS name,
       coalesce(t.used_count, 0) AS count, coalesce(u.right_count, 0) AS right_count
     FROM (SELECT * FROM book_tags WHERE used_count > 0) t
     FULL JOIN used u ON u.book_id = t.book_id AND u.name = t.name)
   SELECT id::float8 AS book_id, 'raters' AS what, count::float8 AS stored,
     right_count::float8 AS counted
   FROM rated WHERE count <> right_count
   UNION ALL
   SELECT id::float8, 'rating sum', sum::float8, right_sum::float8 FROM rated WHERE sum <> right_sum
   UNION ALL
   SELECT book_id::float8, 'tag ' || name, count::float8, right_count::float8 FROM tagged
   WHERE count <> right_count
   UNION ALL
   SELECT b.id::float8, 'popularity', s.popularity::float8,
     (b.rating_base_count + r.right_count)::float8
   FROM book_search s JOIN books b ON b.id = s.book_id JOIN rated r ON r.id = b.id
   WHERE s.popularity <> b.rating_base_count + r.right_count
   ORDER BY 1, 2`,
);

/** A book counter that differs from its collections. */
export interface Drift {
  readonly book_id: number;
  /** The counter: `raters`, `rating sum`, `popularity`, or `tag` and its name. */
  readonly what: string;
  readonly stored: number;
  readonly counted: number;
}

/**
 * Compares the counters of books with their collections (D20), and repairs differences on request.
 * @returns the differences
 */
export const checkBooks = (database: Database, options: { repair: boolean }): Promise<Drift[]> =>
  checkCounters<Drift>(
    database,
    { drift: DRIFT, idOf: ({ book_id }) => book_id, recount: recountBooks },
    options,
  );
