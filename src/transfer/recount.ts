import { statement, type Runner } from '../database/database';
import { fold } from '../text/fold';

// Books are locked in the order of their ids, so that two imports cannot wait for each other; and
// weakly enough to go with the locks that inserted collections hold on their books.
const LOCK = statement(
  'transfer.lock_books',
  'SELECT 1 FROM books WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

const RATINGS = statement(
  'transfer.recount_ratings',
  `UPDATE books b SET rating_count = r.count, rating_sum = r.sum
   FROM (SELECT i.id, count(c.rating)::int AS count, coalesce(sum(c.rating), 0)::int AS sum
         FROM unnest($1::bigint[]) AS i(id) LEFT JOIN collections c ON c.book_id = i.id
         GROUP BY i.id) r
   WHERE b.id = r.id AND (b.rating_count, b.rating_sum) IS DISTINCT FROM (r.count, r.sum)`,
);

const POPULARITY = statement(
  'transfer.recount_popularity',
  `UPDATE book_search s SET popularity = b.rating_base_count + b.rating_count FROM books b
   WHERE b.id = s.book_id AND s.book_id = ANY($1::bigint[])
     AND s.popularity <> b.rating_base_count + b.rating_count`,
);

const USED_TAGS = statement(
  'transfer.used_tags',
  `SELECT c.book_id::float8 AS book_id, tag AS name, count(*)::int AS count
   FROM collections c, unnest(c.tags) AS tag
   WHERE c.book_id = ANY($1::bigint[]) AND NOT c.private
   GROUP BY c.book_id, tag ORDER BY c.book_id, min(c.id), tag`,
);

const RESET_TAGS = statement(
  'transfer.reset_tags',
  `UPDATE book_tags t SET used_count = 0 WHERE t.book_id = ANY($1::bigint[]) AND t.used_count > 0
     AND NOT EXISTS (SELECT 1 FROM unnest($2::bigint[], $3::text[]) AS r(book_id, name)
       WHERE r.book_id = t.book_id AND r.name = t.name)`,
);

const SET_TAGS = statement(
  'transfer.set_tags',
  `INSERT INTO book_tags (book_id, name, folded, used_count)
   SELECT r.book_id, r.name, CASE WHEN b.kind = 'book' THEN r.folded ELSE '' END, r.uses
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) AS r(book_id, name, folded, uses)
   JOIN books b ON b.id = r.book_id
   ON CONFLICT (book_id, name) DO UPDATE SET used_count = EXCLUDED.used_count
   WHERE book_tags.used_count <> EXCLUDED.used_count`,
);

const REMOVE_TAGS = statement(
  'transfer.remove_tags',
  'DELETE FROM book_tags WHERE book_id = ANY($1::bigint[]) AND base_count = 0 AND used_count = 0',
);

/**
 * Counts again what collections add to books: ratings, popularity, uses of tags (D20). Tags of
 * private collections are left out, as their words would show.
 */
export async function recountBooks(runner: Runner, bookIds: readonly number[]): Promise<void> {
  const ids = [...new Set(bookIds)];
  if (ids.length === 0) return;
  await runner.run(LOCK, [ids]);
  await runner.run(RATINGS, [ids]);
  await runner.run(POPULARITY, [ids]);
  const used = await runner.run<{ book_id: number; name: string; count: number }>(USED_TAGS, [ids]);
  const books = used.map(({ book_id }) => book_id);
  const names = used.map(({ name }) => name);
  await runner.run(RESET_TAGS, [ids, books, names]);
  await runner.run(SET_TAGS, [books, names, names.map(fold), used.map(({ count }) => count)]);
  await runner.run(REMOVE_TAGS, [ids]);
}
