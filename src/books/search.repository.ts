import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { type Wanted } from '../text/search';
import { BOOK_SEARCH, searchHits, type SearchPlace } from '../text/search-sql';
import { storedPage, storingStatements } from '../text/stored-search-sql';
import { StoredSearches } from '../text/stored-searches';
import { type BookRow } from './books.rows';
import { bookColumns, ownCollection } from './books.sql';

const PLACE: SearchPlace = { ...BOOK_SEARCH, first: 4 };
const HITS = searchHits(PLACE);

const PARTS = {
  key: 'book_id',
  columns: `${bookColumns('b', 'se')}, ${ownCollection('$3')}`,
  joins: 'LEFT JOIN books b ON b.id = p.book_id LEFT JOIN series se ON se.id = b.series_id',
  limit: ['$1', '$2'],
} as const;

const searchBy = (by: 'q' | 'both') => ({
  evaluate: statement(`books.search_${by}`, paginated({ ...HITS[by], ...PARTS })),
  read: statement(`books.search_stored_${by}`, storedPage(PLACE, by, PARTS)),
  storing: storingStatements(BOOK_SEARCH, by),
});

/**
 * Counted tags are read from their index in the order of the search, and their number is the sum of
 * `book_tag_counts`. The others are checked one by one. Both parts are sorted, so that PostgreSQL
 * merges them and stops at the end of the page.
 */
const OF_TAG = `
  WITH checked AS MATERIALIZED (
    SELECT t.book_id, max(t.count) AS popularity FROM book_tags t
    JOIN book_search s ON s.book_id = t.book_id
    WHERE t.folded = $4 AND t.uncounted GROUP BY t.book_id),
  page AS (
    SELECT book_id, popularity FROM (
      (SELECT book_id, count AS popularity FROM book_tags WHERE folded = $4 AND NOT uncounted
       ORDER BY count DESC, book_id)
      UNION ALL
      (SELECT book_id, popularity FROM checked ORDER BY popularity DESC, book_id)) hits
    ORDER BY popularity DESC, book_id LIMIT $1 OFFSET $2)
  SELECT (
      (SELECT coalesce(sum(books), 0) FROM book_tag_counts WHERE folded = $4)
      + (SELECT count(*) FROM checked)
    )::int AS total, p.book_id IS NOT NULL AS hit, ${PARTS.columns}
  FROM (SELECT 1) one LEFT JOIN page p ON true ${PARTS.joins}
  ORDER BY p.popularity DESC, p.book_id`;

/** Search by tag. */
export const BY_TAG = statement('books.search_tag', OF_TAG);

/** Searches that are stored, with the statements that evaluate, read and store them. */
export const BOOK_SEARCHES = {
  q: searchBy('q'),
  both: searchBy('both'),
} as const;

@Injectable()
export class SearchRepository {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSearches,
  ) {}

  /** Books that contain every word of the query, have the tag, or both. */
  async search(
    wanted: Wanted,
    page: PageQuery,
    userId: number | undefined,
  ): Promise<Page<BookRow>> {
    const { by } = wanted;
    const values = [page.count, page.start, userId ?? null, ...wanted.values];
    if (by === 'tag') {
      return toPage(await this.database.query<BookRow & PageRow>(BY_TAG, values), page.start);
    }
    return this.stored.search<BookRow & PageRow>({ ...BOOK_SEARCHES[by], wanted, page, values });
  }
}
