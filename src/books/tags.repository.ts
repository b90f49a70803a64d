import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { isVisibleSql } from '../moderation/visibility.sql';
import { kindOf, toPageOfBook, type PageOfBook } from './books.sql';
import { isLargeCollectorSql, countVisibleSql } from './user-collections.sql';

/** Maximum number of tags of a book in lists (specification section 8). */
const TOP_TAGS = 50;

const OF_BOOK = statement(
  'tags.of_book',
  paginated({
    hits: `SELECT name, count, position FROM book_tags WHERE book_id = $3 AND count > 0
      ORDER BY count DESC, position, name LIMIT ${TOP_TAGS}`,
    key: 'name',
    order: ['count DESC', 'position', 'name'],
    columns: `p.name, p.count, ${kindOf('$3')}`,
    limit: ['$1', '$2'],
  }),
);

// Tags of hidden collections are visible to their owner only (D21). Names sort by code point,
// independent of the server's locale. For a large collector, the counts without status are
// precomputed.
const OF_USER = statement(
  'tags.of_user',
  paginated({
    hits: `SELECT tag COLLATE "C" AS name, count(*)::int AS count
      FROM collections c, unnest(c.tags) AS tag
      WHERE c.user_id = $3 AND ${isVisibleSql('c', '$4')} AND NOT ${isLargeCollectorSql('$3')}
      GROUP BY tag
      UNION ALL
      SELECT k.tag, sum(k.collections)::int FROM large_collector_counts k
      WHERE k.user_id = $3 AND k.status = '' AND k.month_index = 0 AND ${countVisibleSql('$3', '$4')}
      GROUP BY k.tag HAVING sum(k.collections) > 0`,
    key: 'name',
    order: ['count DESC', 'name'],
    columns: 'p.name, p.count',
    limit: ['$1', '$2'],
  }),
);

interface TagRow extends PageRow {
  readonly name: string;
  readonly count: number;
}

@Injectable()
export class TagsRepository {
  constructor(private readonly database: Database) {}

  async listBookTags(bookId: number, page: PageQuery): Promise<PageOfBook<TagRow>> {
    const values = [page.count, page.start, bookId];
    return toPageOfBook(await this.database.query<TagRow>(OF_BOOK, values), page.start);
  }

  /** Tags of a user by frequency, then name (D23). */
  async listUserTags(
    userId: number,
    viewer: number | undefined,
    page: PageQuery,
  ): Promise<Page<TagRow>> {
    const values = [page.count, page.start, userId, viewer ?? null];
    return toPage(await this.database.query<TagRow>(OF_USER, values), page.start);
  }
}
