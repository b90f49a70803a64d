import { MAX_COLLECTION_TAGS } from '../../api/input/text-limits';
import { statement, type SqlExecutor } from '../../database/database';
import { MERGES, mergeValues, type Merge } from '../engine/merging';

// The later collection is `n`, the earlier one is `o`. The remaining collection gets tags of the
// earlier one up to the maximum, so that its owner can save it again. It keeps all its own tags:
// imported collections can have more.
const DOUBLE = statement(
  'merges.double_collections',
  `SELECT n.id::float8 AS kept, o.id::float8 AS dropped, m.survivor_id::float8 AS book_id,
     coalesce(n.rating, o.rating) AS rating,
     CASE WHEN n.comment = '' THEN o.comment ELSE n.comment END AS comment,
     array_to_json(n.tags || ARRAY(SELECT t.tag FROM unnest(o.tags) WITH ORDINALITY AS t(tag, at)
       WHERE t.tag <> ALL (n.tags) ORDER BY t.at
       LIMIT greatest(0, ${MAX_COLLECTION_TAGS} - cardinality(n.tags)))) AS tags,
     n.private OR o.private AS private, n.hidden OR o.hidden AS hidden
   FROM ${MERGES} JOIN collections a ON a.book_id = m.id
   JOIN collections b ON b.book_id = m.survivor_id AND b.user_id = a.user_id
   JOIN collections n ON n.id IN (a.id, b.id)
   JOIN collections o ON o.id IN (a.id, b.id) AND (o.updated_at, o.id) < (n.updated_at, n.id)`,
);

/** A user's collections of both books, and what the remaining one contains. */
interface DoubleCollection {
  readonly kept: number;
  readonly dropped: number;
}

// If only the earlier collection is hidden, the merge hides the later one too. If both have queue
// entries, MOVE_ENTRIES does not move those of the earlier one. Its last entry is therefore copied,
// so that moderators find the hidden text. If the remaining one has an open entry, they find it there,
// and an entry with a higher id would prevent decisions about the open one.
const COPY_ENTRIES = statement(
  'merges.copy_queue_entries',
  `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at,
     decided_by)
   SELECT q.kind, r.kept, q.user_id, q.words, q.excerpt, q.decision, q.decided_at, q.decided_by
   FROM json_to_recordset($1::json) AS r(kept bigint, dropped bigint)
   JOIN collections n ON n.id = r.kept AND NOT n.hidden
   JOIN collections o ON o.id = r.dropped AND o.hidden
   CROSS JOIN LATERAL (SELECT * FROM moderation_queue e
     WHERE e.kind = 'collection' AND e.target_id = r.dropped ORDER BY e.id DESC LIMIT 1) q
   WHERE EXISTS (SELECT FROM moderation_queue k WHERE k.kind = q.kind AND k.target_id = r.kept)
     AND NOT EXISTS (SELECT FROM moderation_queue k
       WHERE k.kind = q.kind AND k.target_id = r.kept AND k.decision IS NULL)`,
);

// Moderators decide about the remaining collection, which contains the texts of both.
const MOVE_ENTRIES = statement(
  'merges.move_queue_entries',
  `UPDATE moderation_queue q SET target_id = r.kept
   FROM json_to_recordset($1::json) AS r(kept bigint, dropped bigint)
   WHERE q.kind = 'collection' AND q.target_id = r.dropped
     AND NOT EXISTS (SELECT FROM moderation_queue k WHERE k.kind = q.kind AND k.target_id = r.kept)`,
);
// All reports of the earlier collection move, except open ones of users who have an open report of
// the remaining collection: a user has at most one open report of a text.
const MOVE_REPORTS = statement(
  'merges.move_reports',
  `UPDATE reports q SET target_id = r.kept
   FROM json_to_recordset($1::json) AS r(kept bigint, dropped bigint)
   WHERE q.kind = 'collection' AND q.target_id = r.dropped
     AND NOT EXISTS (SELECT FROM reports k
       WHERE k.kind = q.kind AND k.target_id = r.kept AND k.user_id = q.user_id
         AND k.decision IS NULL AND q.decision IS NULL)`,
);
const DROP = statement(
  'merges.drop_collections',
  'DELETE FROM collections WHERE id = ANY($1::bigint[])',
);
const KEEP = statement(
  'merges.keep_collections',
  `UPDATE collections c SET book_id = r.book_id, rating = r.rating, comment = r.comment, tags = r.tags,
     private = r.private, hidden = r.hidden
   FROM json_to_recordset($1::json) AS r(kept bigint, book_id bigint, rating smallint, comment text,
     tags text[], private boolean, hidden boolean)
   WHERE c.id = r.kept`,
);

/**
 * Makes one collection of the two that a user has of both books (D149). The later one stays. It
 * gets the rating and the comment of the earlier one where it has none, and the tags of both, its
 * own first, up to the maximum. It is private or hidden if one of them is.
 * @param merges with a different survivor each
 */
export async function mergeDoubleCollections(
  executor: SqlExecutor,
  merges: readonly Merge[],
): Promise<void> {
  const double = await executor.query<DoubleCollection>(DOUBLE, mergeValues(merges));
  if (double.length === 0) return;
  const rows = JSON.stringify(double);
  await executor.query(COPY_ENTRIES, [rows]);
  await executor.query(MOVE_ENTRIES, [rows]);
  await executor.query(MOVE_REPORTS, [rows]);
  await executor.query(DROP, [double.map(({ dropped }) => dropped)]);
  await executor.query(KEEP, [rows]);
}
