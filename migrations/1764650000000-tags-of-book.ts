import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Reads and writes of tags take time in the number of tags that they show or add, not in the number
 * of tags of the book: users may give a popular book tens of thousands.
 */
export class TagsOfBook1764650000000 implements MigrationInterface {
  name = 'TagsOfBook1764650000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'CREATE INDEX book_tags_of_book ON book_tags (book_id, count DESC, position, name)',
    );
    await db.query(countInserted(NEW_NAMES));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(countInserted(ALL_NAMES));
    await db.query('DROP INDEX book_tags_of_book');
  }
}

// Only the names of inserted tags can get a second tag. The expression keeps the planner from reading
// all books of a name: the tags of a book are always fewer.
const NEW_NAMES = `
    SELECT n.book_id, n.folded
    FROM (SELECT DISTINCT book_id, folded FROM inserted WHERE folded <> '') n
    JOIN book_tags t ON t.book_id = n.book_id AND t.folded || '' = n.folded
    LEFT JOIN books b ON b.id = n.book_id AND b.kind = 'book' AND NOT b.placeholder
    GROUP BY n.book_id, n.folded HAVING count(*) > 1 OR count(b.id) = 0`;

/** As the migration `TagCounts` defines it. */
const ALL_NAMES = `
    SELECT n.book_id, t.folded FROM (SELECT DISTINCT book_id FROM inserted) n
    JOIN book_tags t ON t.book_id = n.book_id
    LEFT JOIN books b ON b.id = n.book_id AND b.kind = 'book' AND NOT b.placeholder
    WHERE t.folded <> ''
    GROUP BY n.book_id, t.folded HAVING count(*) > 1 OR count(b.id) = 0`;

const countInserted = (names: string): string => `
CREATE OR REPLACE FUNCTION count_inserted_book_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM inserted) THEN RETURN NULL; END IF;
  UPDATE book_tags t SET uncounted = true
  FROM (${names}) c
  WHERE t.book_id = c.book_id AND t.folded = c.folded AND NOT t.uncounted;
  INSERT INTO book_tag_counts (folded, books)
  SELECT folded, count(*) FROM inserted WHERE folded <> '' AND NOT uncounted GROUP BY folded;
  RETURN NULL;
END $$`;
