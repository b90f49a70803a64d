import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { authorOnlySql, isVisibleSql } from '../moderation/visibility.sql';
import { userJson } from '../users/users.resources';
import { type AnnotationsInput } from './books.input';
import { type AnnotationRow } from './books.rows';
import {
  ANNOTATION_COLUMNS,
  BOOK_TABLES,
  bookJson,
  kindOf,
  toPageOfBook,
  type PageOfBook,
} from './books.sql';

const COLUMNS = `${ANNOTATION_COLUMNS}, ${bookJson('b', 's')} AS book, ${userJson('u')} AS author_user`;

const JOINS = `
  LEFT JOIN annotations n ON n.id = p.id LEFT JOIN books b ON b.id = n.book_id
  LEFT JOIN series s ON s.id = b.series_id LEFT JOIN users u ON u.id = n.user_id`;

const OF_USER = statement(
  'annotations.of_user',
  paginated({
    hits: `SELECT n.id, n.updated_at FROM annotations n
      WHERE n.user_id = $3 AND ${isVisibleSql('n', '$4')}`,
    key: 'id',
    order: ['updated_at DESC', 'id DESC'],
    columns: COLUMNS,
    joins: JOINS,
    limit: ['$1', '$2'],
  }),
);

const ORDERS: Record<AnnotationsInput['order'], string[]> = {
  collect: ['updated_at DESC', 'id DESC'],
  rank: ['votes DESC', 'updated_at DESC', 'id DESC'],
  // Annotations with only a chapter have page 0 and sort last (D24).
  page: ['chapters_last', 'page_no', 'id'],
};

// Only public ones, even for their author: the specification requires it.
const ofBook = (order: AnnotationsInput['order']): Statement =>
  statement(
    `annotations.of_book_${order}`,
    paginated({
      hits: `SELECT n.id, n.updated_at, n.votes, n.page_no, n.page_no = 0 AS chapters_last
        FROM annotations n
        WHERE n.book_id = $3 AND NOT ${authorOnlySql('n')} AND ($4::int IS NULL OR n.page_no = $4)`,
      key: 'id',
      order: ORDERS[order],
      columns: `${COLUMNS}, ${kindOf('$3')}`,
      joins: JOINS,
      limit: ['$1', '$2'],
    }),
  );
const OF_BOOK = { collect: ofBook('collect'), rank: ofBook('rank'), page: ofBook('page') };

/** An annotation if it is visible to the viewer. */
export const BY_ID = statement(
  'annotations.by_id',
  `SELECT ${COLUMNS} FROM annotations n JOIN users u ON u.id = n.user_id, ${BOOK_TABLES}
   WHERE b.id = n.book_id AND n.id = $1 AND ${isVisibleSql('n', '$2')}`,
);

@Injectable()
export class AnnotationsRepository {
  constructor(private readonly database: Database) {}

  /** A user's annotations visible to `viewer`, newest first (D21). */
  async ofUser(
    userId: number,
    viewer: number | undefined,
    page: PageQuery,
  ): Promise<Page<AnnotationRow>> {
    const values = [page.count, page.start, userId, viewer ?? null];
    const rows = await this.database.query<AnnotationRow & PageRow>(OF_USER, values);
    return toPage(rows, page.start);
  }

  /** The public annotations of a book (specification section 4.1). */
  async ofBook(
    bookId: number,
    { order, page: pageNo }: AnnotationsInput,
    page: PageQuery,
  ): Promise<PageOfBook<AnnotationRow>> {
    const values = [page.count, page.start, bookId, pageNo ?? null];
    const rows = await this.database.query<AnnotationRow & PageRow>(OF_BOOK[order], values);
    return toPageOfBook(rows, page.start);
  }

  /** An annotation if it is visible to `viewer` (D21). */
  async byId(id: number, viewer: number | undefined): Promise<AnnotationRow | undefined> {
    const [row] = await this.database.query<AnnotationRow>(BY_ID, [id, viewer ?? null]);
    return row;
  }
}
