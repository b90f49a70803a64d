import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Counts the elements of lists, so that the total of a long list counts no rows, and adds indexes in
 * the order of annotations of a book. Takes about ten seconds with a million books.
 */
export class ListCounts1764741000000 implements MigrationInterface {
  name = 'ListCounts1764741000000';

  // The triggers wait for writers, so that the statements after them see all rows.
  async up(db: QueryRunner): Promise<void> {
    await db.query(SCHEMA);
    await db.query(CHANGE_COUNTS);
    for (const table of TABLES) await db.query(triggersOf(table));
    await db.query(`
      INSERT INTO list_counts (${KEY}, elements)
      SELECT ${KEY}, count(*) FROM (${TABLES.map((table) => rowsOf(table, table, '')).join(' UNION ALL ')}) c
      GROUP BY ${KEY} ORDER BY ${KEY};
      ANALYZE list_counts;`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await db.query(`
        DROP TRIGGER ${table}_list_inserted ON ${table};
        DROP TRIGGER ${table}_list_updated ON ${table};
        DROP TRIGGER ${table}_list_deleted ON ${table};
        DROP FUNCTION count_lists_of_${table};`);
    }
    await db.query(`
      DROP FUNCTION change_list_counts;
      DROP TABLE list_counts;
      DROP INDEX annotations_by_book_time, annotations_by_book_page, events_private;
      CREATE INDEX events_private ON events (owner_id) WHERE private AND deleted_at IS NULL;`);
  }
}

// A number is the sum of the rows with the same values. Users and records have no foreign key here:
// the rows of a deleted one sum to 0.
const SCHEMA = `
CREATE TABLE list_counts (
  record_id bigint NOT NULL,
  list smallint NOT NULL,
  visibility smallint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  elements integer NOT NULL,
  CONSTRAINT list_counts_pkey PRIMARY KEY (record_id, list, visibility, id)
);
DROP INDEX events_private;
CREATE INDEX events_private ON events (owner_id, id) WHERE private AND deleted_at IS NULL;
CREATE INDEX annotations_by_book_time ON annotations (book_id, updated_at DESC, id DESC)
  WHERE NOT (private OR hidden);
CREATE INDEX annotations_by_book_page ON annotations (book_id, (page_no = 0), page_no, id)
  WHERE NOT (private OR hidden);
`;

const AUTHOR_ONLY = 'CASE WHEN r.private OR r.hidden THEN 2 ELSE 0 END';

/** For each table its lists: number, record and visibility (0 all, 1 friends, 2 author) of a row. */
const LISTS = {
  annotations: [
    [1, 'r.book_id', AUTHOR_ONLY],
    [2, 'r.user_id', AUTHOR_ONLY],
  ],
  notes: [
    [
      3,
      'r.user_id',
      `CASE WHEN r.placeholder THEN NULL WHEN r.hidden OR r.privacy = 'private' THEN 2
         WHEN r.privacy = 'friend' THEN 1 ELSE 0 END`,
    ],
  ],
  events: [
    [
      4,
      'r.owner_id',
      'CASE WHEN r.deleted_at IS NOT NULL THEN NULL WHEN r.private THEN 2 ELSE 0 END',
    ],
  ],
  note_replies: [[5, 'r.note_id', 'CASE WHEN r.hidden THEN 2 ELSE 0 END']],
  movie_comments: [[6, 'r.subject_id', '0']],
  movie_reviews: [[7, 'r.subject_id', '0']],
  photos: [
    [8, 'r.subject_id', '0'],
    [9, 'r.celebrity_id', '0'],
  ],
} as const;
type Table = keyof typeof LISTS;
const TABLES = Object.keys(LISTS) as Table[];

const KEY = 'record_id, list, visibility';

const rowsOf = (table: Table, rows: string, sign: string): string => {
  const lists = LISTS[table].map(
    ([list, record, visibility]) => `(${list}::smallint, ${record}, (${visibility})::smallint)`,
  );
  return `SELECT l.record_id, l.list, l.visibility, ${sign}1 AS elements
    FROM ${rows} r CROSS JOIN LATERAL (VALUES ${lists.join(', ')}) l(list, record_id, visibility)
    WHERE l.record_id IS NOT NULL AND l.visibility IS NOT NULL`;
};

// As for collection_counts: writers change a row that no other transaction has locked, or add one,
// so that they do not wait for each other. The statement that locks the rows and the one that
// changes them have snapshots of their own: the second sees what committed before the lock.
const CHANGE_COUNTS = `
CREATE FUNCTION change_list_counts(changes list_counts[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found list_counts[];
  emptied boolean;
BEGIN
  IF changes IS NULL THEN RETURN; END IF;
  SELECT array_agg(ROW(d.record_id, d.list, d.visibility, l.id, d.elements)::list_counts) INTO found
  FROM unnest(changes) d LEFT JOIN LATERAL (
    SELECT c.id FROM list_counts c
    WHERE c.record_id = d.record_id AND c.list = d.list AND c.visibility = d.visibility
    LIMIT 1 FOR UPDATE SKIP LOCKED) l ON true;
  WITH updated AS (
    UPDATE list_counts c SET elements = c.elements + d.elements FROM unnest(found) d
    WHERE c.record_id = d.record_id AND c.list = d.list AND c.visibility = d.visibility
      AND c.id = d.id RETURNING c.elements)
  SELECT bool_or(elements = 0) INTO emptied FROM updated;
  INSERT INTO list_counts (${KEY}, elements) SELECT ${KEY}, elements FROM unnest(found) d
  WHERE d.id IS NULL;
  IF emptied THEN
    DELETE FROM list_counts c USING unnest(found) d
    WHERE c.record_id = d.record_id AND c.list = d.list AND c.visibility = d.visibility
      AND c.id = d.id AND c.elements = 0;
  END IF;
END $$;
`;

const changes = (rows: string): string => `
  SELECT array_agg(ROW(${KEY}, NULL, elements)::list_counts)
  FROM (SELECT ${KEY}, sum(elements) AS elements FROM (${rows}) c
    GROUP BY ${KEY} HAVING sum(elements) <> 0) d`;

/** Triggers of a table that add the changes of each statement to the counts. */
function triggersOf(table: Table): string {
  const [after, before] = [rowsOf(table, 'after', ''), rowsOf(table, 'before', '-')];
  const run = `FOR EACH STATEMENT EXECUTE FUNCTION count_lists_of_${table}();`;
  return `
    CREATE FUNCTION count_lists_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM change_list_counts((${changes(after)}));
      ELSIF TG_OP = 'DELETE' THEN
        PERFORM change_list_counts((${changes(before)}));
      ELSE
        PERFORM change_list_counts((${changes(`${before} UNION ALL ${after}`)}));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${table}_list_inserted AFTER INSERT ON ${table}
      REFERENCING NEW TABLE AS after ${run}
    CREATE TRIGGER ${table}_list_updated AFTER UPDATE ON ${table}
      REFERENCING OLD TABLE AS before NEW TABLE AS after ${run}
    CREATE TRIGGER ${table}_list_deleted AFTER DELETE ON ${table}
      REFERENCING OLD TABLE AS before ${run}`;
}
