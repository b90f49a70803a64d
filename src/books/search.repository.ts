import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/page';
import { Database, statement, type Statement } from '../database/database';
import { pageOf, toPage, type PageRow } from '../database/page-of';
import { type SearchQuery } from '../text/terms';
import { type BookRow } from './books.rows';
import { bookColumns, ownCollection } from './books.sql';

// Exact, prefix, phrase, then all words; the title before other fields (D28).
const RANK = `CASE
  WHEN s.title = $4 THEN 0
  WHEN strpos(s.body, E'\\n' || $4 || E'\\n') > 0 THEN 1
  WHEN starts_with(s.title, $4) THEN 2
  WHEN strpos(s.title, $4) > 0 THEN 3
  WHEN strpos(s.body, $4) > 0 THEN 4
  ELSE 5 END`;

const WORDS = `FROM book_search s WHERE s.terms @@ $5::tsquery AND s.body LIKE ALL ($6::text[])`;

const HITS = {
  q: {
    hits: `SELECT s.book_id, s.popularity, ${RANK} AS rank ${WORDS}`,
    order: ['rank', 'popularity DESC', 'book_id'],
  },
  tag: {
    hits: `SELECT t.book_id, max(t.count) AS popularity, 0 AS rank FROM book_tags t
      WHERE t.folded = $4 GROUP BY t.book_id`,
    order: ['popularity DESC', 'book_id'],
  },
  both: {
    hits: `SELECT s.book_id, s.popularity, ${RANK} AS rank ${WORDS}
      AND EXISTS (SELECT 1 FROM book_tags t WHERE t.book_id = s.book_id AND t.folded = $7)`,
    order: ['rank', 'popularity DESC', 'book_id'],
  },
} as const;

const search = (name: keyof typeof HITS): Statement =>
  statement(
    `books.search_${name}`,
    pageOf({
      ...HITS[name],
      key: 'book_id',
      columns: `${bookColumns('b', 'se')}, ${ownCollection('$3')}`,
      joins: 'LEFT JOIN books b ON b.id = p.book_id LEFT JOIN series se ON se.id = b.series_id',
      limit: ['$1', '$2'],
    }),
  );

/** Search by words; also what the benchmark holds the server against. */
export const BY_WORDS = search('q');
/** Search by tag. */
export const BY_TAG = search('tag');
const BY_BOTH = search('both');

@Injectable()
export class SearchRepository {
  constructor(private readonly database: Database) {}

  /** Books that hold every word of the query, have the folded tag, or both. */
  async search(
    query: SearchQuery | undefined,
    tag: string | undefined,
    page: PageQuery,
    userId: number | undefined,
  ): Promise<Page<BookRow>> {
    const values: unknown[] = [page.count, page.start, userId ?? null];
    if (query) values.push(query.phrase, query.tsquery, query.patterns);
    if (tag !== undefined) values.push(tag);
    const what = !query ? BY_TAG : tag === undefined ? BY_WORDS : BY_BOTH;
    return toPage(await this.database.run<BookRow & PageRow>(what, values), page.start);
  }
}
