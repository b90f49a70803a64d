import { logChangeSql, type CountDrift } from '../database/count-check';
import { statement, type Database } from '../database/database';
import { authorOnlySql } from '../moderation/visibility.sql';

const TAGS = 'user_id, tag, updated_at, collection_id, status, rating, author_only';
const COUNT_KEY = 'user_id, status, tag, month_index, rating, author_only';

const COLLECTIONS = `
  SELECT c.id, c.user_id, c.tags, c.updated_at, c.status, coalesce(c.rating, 0)::smallint AS rating,
    ${authorOnlySql('c')} AS author_only
  FROM collections c JOIN large_collectors l ON l.user_id = c.user_id`;

const TAGS_OF_ROWS = `
  SELECT DISTINCT c.user_id, t.tag COLLATE "C" AS tag, c.updated_at, c.id AS collection_id, c.status,
    c.rating, c.author_only
  FROM (${COLLECTIONS}) c, unnest(c.tags) AS t(tag)`;

const COUNTS_OF_ROWS = `
  SELECT ${COUNT_KEY}, count(*) AS collections FROM (
    SELECT o.user_id, s.status, o.tag, o.month_index, s.rating::smallint AS rating, o.author_only
    FROM (
      SELECT user_id, status, tag, 0 AS month_index, rating, author_only FROM (${TAGS_OF_ROWS}) t
      UNION ALL SELECT user_id, status, '', utc_month_index(updated_at), rating, author_only
        FROM (${COLLECTIONS}) c
    ) o, LATERAL (VALUES ('', 0), (o.status, o.rating)) AS s(status, rating)
  ) n GROUP BY ${COUNT_KEY}`;

const DRIFT = statement(
  'large_collectors.drift',
  `SELECT user_id::float8 AS user_id, 'collections by tag or month' AS what,
     sum(coalesce(s.collections, 0))::int AS stored, sum(coalesce(c.collections, 0))::int AS counted
   FROM (SELECT ${COUNT_KEY}, sum(collections) AS collections FROM large_collector_counts
     GROUP BY ${COUNT_KEY}) s
   FULL JOIN (${COUNTS_OF_ROWS}) c USING (${COUNT_KEY})
   WHERE coalesce(s.collections, 0) <> coalesce(c.collections, 0) GROUP BY user_id
   UNION ALL
   SELECT user_id::float8, 'tags of collections', count(s.stored)::int, count(c.counted)::int
   FROM (SELECT ${TAGS}, true AS stored FROM large_collector_tags) s
   FULL JOIN (SELECT ${TAGS}, true AS counted FROM (${TAGS_OF_ROWS}) t) c USING (${TAGS})
   WHERE s.stored IS NULL OR c.counted IS NULL GROUP BY user_id
   ORDER BY 1, 2`,
);

// Writers of collections hold the row of their user, too.
const LOCK = statement(
  'large_collectors.lock',
  'SELECT id FROM users WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
);
const REMOVE = statement(
  'large_collectors.remove',
  `WITH repaired AS (
     DELETE FROM large_collectors WHERE user_id = ANY($1::bigint[]) RETURNING user_id)
   ${logChangeSql('collection')}`,
);
const ADD = statement('large_collectors.add', 'SELECT add_large_collectors($1::bigint[])');

/** A large collector whose stored tags or precomputed counts differ from the collections. */
export interface LargeCollectorDrift extends CountDrift {
  readonly user_id: number;
}

/**
 * Compares the stored tags and precomputed counts of large collectors with their collections, and
 * recomputes those of the users that differ on request. @returns the differences
 */
export async function checkLargeCollectors(
  database: Database,
  { repair }: { readonly repair: boolean },
): Promise<LargeCollectorDrift[]> {
  const found = await database.query<LargeCollectorDrift>(DRIFT);
  const users = [...new Set(found.map(({ user_id }) => user_id))];
  if (repair && users.length > 0) {
    await database.transaction(async (executor) => {
      const locked = await executor.query<{ id: string }>(LOCK, [users]);
      const ids = locked.map(({ id }) => id);
      await executor.query(REMOVE, [ids]);
      await executor.query(ADD, [ids]);
    });
  }
  return found;
}
