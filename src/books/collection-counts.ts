import { countCheck, logChangeSql, type CountDrift } from '../database/count-check';
import { statement } from '../database/database';
import { authorOnlySql } from '../moderation/visibility.sql';

const KEY = 'user_id, status, rating, author_only';

const DRIFT_ROWS = `
  SELECT ${KEY}, coalesce(s.collections, 0)::int AS stored, coalesce(c.collections, 0)::int AS counted
  FROM (SELECT ${KEY}, sum(collections) AS collections FROM collection_counts GROUP BY ${KEY}) s
  FULL JOIN (SELECT user_id, status, coalesce(rating, 0)::smallint AS rating,
      ${authorOnlySql('c')} AS author_only, count(*) AS collections
    FROM collections c GROUP BY 1, 2, 3, 4) c USING (${KEY})
  WHERE coalesce(s.collections, 0) <> coalesce(c.collections, 0)`;

const DRIFT = statement(
  'collection_counts.drift',
  `SELECT user_id::float8 AS user_id, 'collections' AS what, sum(stored)::int AS stored,
     sum(counted)::int AS counted
   FROM (${DRIFT_ROWS}) d GROUP BY user_id ORDER BY user_id`,
);

const REPAIR = statement(
  'collection_counts.repair',
  `WITH repaired AS (INSERT INTO collection_counts (${KEY}, collections)
     SELECT ${KEY}, counted - stored FROM (${DRIFT_ROWS}) d RETURNING 1)
   ${logChangeSql('collection')}`,
);

/** A user whose stored numbers of collections differ from the rows, all values together. */
export interface CollectionCountDrift extends CountDrift {
  readonly user_id: number;
}

/** Compares the numbers of collections of each user with the rows. */
export const checkCollectionCounts = countCheck<CollectionCountDrift>(DRIFT, REPAIR);
