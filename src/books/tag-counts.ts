import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { ScheduledTask } from '../database/scheduled-task';

// Writers add rows to book_tag_counts. A snapshot contains a row either before or after it is
// merged, so that the sum is always right.
export const MERGE_TAG_COUNTS = statement(
  'tags.merge_counts',
  `WITH merged AS (
     DELETE FROM book_tag_counts WHERE folded IN (
       SELECT folded FROM book_tag_counts GROUP BY folded HAVING count(*) > 8 LIMIT 10000)
     RETURNING folded, books)
   INSERT INTO book_tag_counts (folded, books)
   SELECT folded, sum(books) FROM merged GROUP BY folded HAVING sum(books) <> 0`,
);

/** Merges the rows that writers added to the counts of tags. */
@Injectable()
export class TagCountsTask extends ScheduledTask {
  override readonly taskName = 'merge-tag-counts';
  override readonly intervalSeconds = 600;

  constructor(private readonly database: Database) {
    super();
  }

  override async run(): Promise<void> {
    await this.database.query(MERGE_TAG_COUNTS);
  }
}

// Rows that must be checked one by one: see the migration that added the column.
const NOT_COUNTABLE = `
  SELECT t.book_id, t.name, t.folded FROM book_tags t
  WHERE t.folded <> '' AND NOT t.uncounted
    AND (NOT EXISTS (SELECT FROM book_search s WHERE s.book_id = t.book_id)
      OR EXISTS (SELECT FROM book_tags o
        WHERE o.book_id = t.book_id AND o.folded = t.folded AND o.name <> t.name))`;

const COUNTS = `
  SELECT coalesce(s.folded, c.folded) AS folded, coalesce(s.books, 0)::int AS stored,
    coalesce(c.books, 0)::int AS counted
  FROM (SELECT folded, sum(books) AS books FROM book_tag_counts GROUP BY folded) s
  FULL JOIN (SELECT folded, count(*) AS books FROM book_tags
    WHERE folded <> '' AND NOT uncounted GROUP BY folded) c ON c.folded = s.folded
  WHERE coalesce(s.books, 0) <> coalesce(c.books, 0)`;

const DRIFT = statement(
  'tags.count_drift',
  `SELECT folded AS tag, 'books' AS what, stored, counted FROM (${COUNTS}) d
   UNION ALL
   SELECT folded, 'books to check', 0, count(*)::int FROM (${NOT_COUNTABLE}) n GROUP BY folded
   ORDER BY 1, 2`,
);

const REPAIR_ROWS = statement(
  'tags.repair_uncounted',
  `UPDATE book_tags t SET uncounted = true FROM (${NOT_COUNTABLE}) n
   WHERE t.book_id = n.book_id AND t.name = n.name`,
);

// One statement sees the counts and the rows of one moment, also beside concurrent writers.
const REPAIR_COUNTS = statement(
  'tags.repair_counts',
  `INSERT INTO book_tag_counts (folded, books) SELECT folded, counted - stored FROM (${COUNTS}) d`,
);

/** A tag whose stored number of books differs from its rows. */
export interface TagCountDrift {
  /** The folded name. */
  readonly tag: string;
  /** `books to check`: rows that are counted, and must be checked one by one. */
  readonly what: 'books' | 'books to check';
  readonly stored: number;
  readonly counted: number;
}

/**
 * Compares the number of books of each tag with its rows, and repairs differences on request.
 * @returns the differences
 */
export async function checkTagCounts(
  database: Database,
  { repair }: { readonly repair: boolean },
): Promise<TagCountDrift[]> {
  const found = await database.query<TagCountDrift>(DRIFT);
  if (repair && found.length > 0) {
    await database.query(REPAIR_ROWS);
    await database.query(REPAIR_COUNTS);
  }
  return found;
}
