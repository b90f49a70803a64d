import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Counts the collections of each user, so that the list of a user with many collections counts no
 * rows. Takes about a second with a million collections.
 */
export class CollectionCounts1764725000000 implements MigrationInterface {
  name = 'CollectionCounts1764725000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(SCHEMA);
    await db.query(FILL);
    await db.query(TRIGGERS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER collections_count_inserted ON collections;
      DROP TRIGGER collections_count_updated ON collections;
      DROP TRIGGER collections_count_deleted ON collections;
      DROP FUNCTION count_inserted_collections, count_updated_collections,
        count_deleted_collections;
      DROP FUNCTION change_collection_counts;
      DROP TABLE collection_counts;`);
  }
}

// The number of collections is the sum of the rows with the same values. A rating of 0 means none.
// Users have no foreign key here: the rows of a deleted user sum to 0, and are deleted then.
const SCHEMA = `
CREATE TABLE collection_counts (
  user_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL,
  rating smallint NOT NULL,
  author_only boolean NOT NULL,
  collections integer NOT NULL,
  CONSTRAINT collection_counts_pkey PRIMARY KEY (user_id, id)
);
`;

const KEY = 'user_id, status, rating, author_only';
const keyOf = (rows: string, sign: string): string =>
  `SELECT user_id, status, coalesce(rating, 0) AS rating, private OR hidden AS author_only,
     ${sign}1 AS collections FROM ${rows}`;

const FILL = `
INSERT INTO collection_counts (${KEY}, collections)
SELECT ${KEY}, count(*) FROM (${keyOf('collections', '')}) c GROUP BY ${KEY} ORDER BY user_id;
`;

const changes = (rows: string): string => `
  SELECT array_agg(ROW(user_id, NULL, status, rating, author_only, collections)::collection_counts)
  FROM (SELECT ${KEY}, sum(collections) AS collections FROM (${rows}) c
    GROUP BY ${KEY} HAVING sum(collections) <> 0) d`;

// Writers change a row that no other transaction has locked, or add one, so that they do not wait
// for each other. The statement that locks the rows and the one that changes them have snapshots of
// their own: the second sees what committed before the lock.
const TRIGGERS = `
CREATE FUNCTION change_collection_counts(changes collection_counts[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found collection_counts[];
  emptied boolean;
BEGIN
  IF changes IS NULL THEN RETURN; END IF;
  SELECT array_agg(ROW(d.user_id, l.id, d.status, d.rating, d.author_only, d.collections)
    ::collection_counts) INTO found
  FROM unnest(changes) d LEFT JOIN LATERAL (
    SELECT c.id FROM collection_counts c
    WHERE c.user_id = d.user_id AND c.status = d.status AND c.rating = d.rating
      AND c.author_only = d.author_only
    LIMIT 1 FOR UPDATE SKIP LOCKED) l ON true;
  WITH updated AS (
    UPDATE collection_counts c SET collections = c.collections + d.collections
    FROM unnest(found) d WHERE c.user_id = d.user_id AND c.id = d.id RETURNING c.collections)
  SELECT bool_or(collections = 0) INTO emptied FROM updated;
  INSERT INTO collection_counts (${KEY}, collections)
  SELECT ${KEY}, collections FROM unnest(found) d WHERE d.id IS NULL;
  IF emptied THEN
    DELETE FROM collection_counts c USING unnest(found) d
    WHERE c.user_id = d.user_id AND c.id = d.id AND c.collections = 0;
  END IF;
END $$;
CREATE FUNCTION count_inserted_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_collection_counts((${changes(keyOf('inserted', ''))}));
  RETURN NULL;
END $$;
CREATE TRIGGER collections_count_inserted AFTER INSERT ON collections
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_collections();
CREATE FUNCTION count_updated_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_collection_counts((${changes(`${keyOf('before', '-')} UNION ALL ${keyOf('after', '')}`)}));
  RETURN NULL;
END $$;
CREATE TRIGGER collections_count_updated AFTER UPDATE ON collections
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_collections();
CREATE FUNCTION count_deleted_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_collection_counts((${changes(keyOf('deleted', '-'))}));
  RETURN NULL;
END $$;
CREATE TRIGGER collections_count_deleted AFTER DELETE ON collections
  REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_collections();
`;
