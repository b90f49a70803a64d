import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { isVisibleSql } from '../moderation/visibility.sql';
import { type CollectionsInput } from './books.input';
import { type CollectionSource } from './books.resources';
import { bookJson, BOOK_TABLES, COLLECTION_COLUMNS } from './books.sql';

/** A user's collections with optional filters. The benchmark uses it too. */
export const OF_USER = statement(
  'collections.of_user',
  paginated({
    hits: `SELECT c.id, c.updated_at FROM collections c
      WHERE c.user_id = $3 AND ${isVisibleSql('c', '$4')}
        AND ($5::text IS NULL OR c.status = $5)
        AND ($6::text IS NULL OR $6 = ANY(c.tags))
        AND ($7::timestamptz IS NULL OR c.updated_at >= $7)
        AND ($8::timestamptz IS NULL OR c.updated_at <= $8)
        AND ($9::int IS NULL OR c.rating = $9)`,
    key: 'id',
    order: ['updated_at DESC', 'id DESC'],
    columns: `${COLLECTION_COLUMNS}, ${bookJson('b', 's')} AS book`,
    joins: `LEFT JOIN collections c ON c.id = p.id LEFT JOIN books b ON b.id = c.book_id
      LEFT JOIN series s ON s.id = b.series_id`,
    limit: ['$1', '$2'],
  }),
);

/** A user's collection of a book, if it is visible to the viewer. */
export const OF_BOOK = statement(
  'collections.of_book',
  `SELECT ${COLLECTION_COLUMNS}, ${bookJson('b', 's')} AS book
   FROM collections c, ${BOOK_TABLES}
   WHERE b.id = c.book_id AND c.book_id = $1 AND c.user_id = $2
     AND ${isVisibleSql('c', '$3')}`,
);

@Injectable()
export class CollectionsRepository {
  constructor(private readonly database: Database) {}

  /** A user's collections visible to `viewer`, newest first (D21). */
  async ofUser(
    userId: number,
    viewer: number | undefined,
    filter: CollectionsInput,
    page: PageQuery,
  ): Promise<Page<CollectionSource>> {
    const rows = await this.database.query<CollectionSource & PageRow>(OF_USER, [
      page.count,
      page.start,
      userId,
      viewer ?? null,
      filter.status ?? null,
      filter.tag ?? null,
      filter.from?.toISOString() ?? null,
      filter.to?.toISOString() ?? null,
      filter.rating ?? null,
    ]);
    return toPage(rows, page.start);
  }

  /** A user's collection of a book, if it is visible to `viewer` (D21). */
  async ofBook(
    bookId: number,
    userId: number,
    viewer: number | undefined,
  ): Promise<CollectionSource | undefined> {
    const values = [bookId, userId, viewer ?? null];
    const [row] = await this.database.query<CollectionSource>(OF_BOOK, values);
    return row;
  }
}
