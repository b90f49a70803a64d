import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { IdScan, idScan } from '../database/id-scan';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { authorOnlySql } from '../moderation/visibility.sql';
import { excerptSourceSql } from '../text/head';
import { userJson, type UserRow } from '../users/users.resources';
import { type BookRow } from './books.rows';
import { bookColumns, bookJson } from './books.sql';
import { type ReviewSource } from './reviews.repository';

const reviewColumns = (
  content: string,
): string => `r.id, r.title, ${content} AS content, r.rating, r.votes, r.useless, r.comments,
  ${wireTime('r.published_at')} AS published, ${wireTime('r.updated_at')} AS updated,
  ${userJson('u')} AS author, ${bookJson('b', 's')} AS book`;

const LISTED_COLUMNS = reviewColumns(excerptSourceSql('r.content'));

const REVIEW_JOINS = `LEFT JOIN reviews r ON r.id = p.id LEFT JOIN users u ON u.id = r.user_id
  LEFT JOIN books b ON b.id = r.book_id LEFT JOIN series s ON s.id = b.series_id`;

const REVIEWS_OF_BOOK = statement(
  'book_pages.reviews_of_book',
  paginated({
    hits: `SELECT r.id, r.votes, r.published_at FROM reviews r
      WHERE r.book_id = $3 AND NOT r.hidden`,
    key: 'id',
    order: ['votes DESC', 'published_at DESC', 'id DESC'],
    columns: LISTED_COLUMNS,
    joins: REVIEW_JOINS,
    limit: ['$1', '$2'],
  }),
);

const REVIEWS_OF_USER = statement(
  'book_pages.reviews_of_user',
  paginated({
    hits: `SELECT r.id, r.published_at FROM reviews r WHERE r.user_id = $3 AND NOT r.hidden`,
    key: 'id',
    order: ['published_at DESC', 'id DESC'],
    columns: LISTED_COLUMNS,
    joins: REVIEW_JOINS,
    limit: ['$1', '$2'],
  }),
);

const REVIEW = statement(
  'book_pages.review',
  `SELECT ${reviewColumns('r.content')} FROM (SELECT id FROM reviews WHERE id = $1 AND NOT hidden) p
   ${REVIEW_JOINS}`,
);

const RATINGS = statement(
  'book_pages.ratings',
  `SELECT c.status, c.rating::int AS stars, count(*)::int AS count FROM collections c
   WHERE c.book_id = $1 AND NOT ${authorOnlySql('c')} GROUP BY c.status, c.rating`,
);

/** Collections among which the latest readers of a book are searched. */
const MAX_SEARCHED = 500;

const READERS = statement(
  'book_pages.readers',
  `SELECT u.id::text AS id, u.uid, u.name, u.signature, u.avatar FROM (
     SELECT c.user_id, c.updated_at FROM collections c
     WHERE c.book_id = $1 AND NOT ${authorOnlySql('c')} LIMIT ${MAX_SEARCHED}) r
   JOIN users u ON u.id = r.user_id ORDER BY r.updated_at DESC, u.id LIMIT $2`,
);

const NEWEST = statement(
  'book_pages.newest',
  `SELECT ${bookColumns()}, NULL AS current_user_collection FROM (
     SELECT id FROM books WHERE kind = 'book' AND NOT placeholder ORDER BY id DESC LIMIT $1) p
   JOIN books b ON b.id = p.id LEFT JOIN series s ON s.id = b.series_id ORDER BY b.id DESC`,
);

const POPULAR = statement(
  'book_pages.popular',
  'SELECT book_id::float8 AS id FROM book_search ORDER BY popularity DESC, book_id LIMIT $1',
);

const POPULAR_TAGS = statement(
  'book_pages.popular_tags',
  `SELECT min(t.name) AS name FROM (
     SELECT folded, sum(books) AS books FROM book_tag_counts GROUP BY folded
     ORDER BY sum(books) DESC, folded LIMIT $1) f
   CROSS JOIN LATERAL (SELECT name FROM book_tags WHERE folded = f.folded LIMIT 1) t
   GROUP BY f.folded, f.books ORDER BY f.books DESC, f.folded`,
);

const DELETED = statement(
  'book_pages.deleted',
  `SELECT 1 FROM books WHERE id = $1 AND kind = 'book' AND deleted_at IS NOT NULL`,
);

const SERIES = statement(
  'book_pages.series',
  `SELECT s.id::text AS id, s.title FROM series s WHERE s.id = $1`,
);

const SITE_MAP = idScan('book_pages.site_map', 'books b', `b.kind = 'book' AND NOT b.placeholder`);

/** Number of public collections with a status and a rating of 1 to 5 stars; null without a rating. */
export interface CollectionCount {
  readonly status: 'wish' | 'reading' | 'read';
  readonly stars: number | null;
  readonly count: number;
}

/** Reads of books that only the pages need. All of them show public content alone. */
@Injectable()
export class BookPagesRepository {
  constructor(private readonly database: Database) {}

  /** Public reviews of a book, most useful first, with the beginnings of their contents. */
  async listBookReviews(bookId: number, page: PageQuery): Promise<Page<ReviewSource>> {
    const values = [page.count, page.start, bookId];
    const rows = await this.database.query<ReviewSource & PageRow>(REVIEWS_OF_BOOK, values);
    return toPage(rows, page.start);
  }

  /** Public reviews by a user, newest first, with the beginnings of their contents. */
  async listUserReviews(userId: number, page: PageQuery): Promise<Page<ReviewSource>> {
    const values = [page.count, page.start, userId];
    const rows = await this.database.query<ReviewSource & PageRow>(REVIEWS_OF_USER, values);
    return toPage(rows, page.start);
  }

  /** A review, unless it is hidden. */
  async findReview(id: number): Promise<ReviewSource | undefined> {
    return (await this.database.query<ReviewSource>(REVIEW, [id]))[0];
  }

  /** The public collections of a book by status and stars; imported ratings have no distribution. */
  countCollections(bookId: number): Promise<CollectionCount[]> {
    return this.database.query<CollectionCount>(RATINGS, [bookId]);
  }

  /** Users who have the book in a public collection, latest first among 500. */
  listReaders(bookId: number, count: number): Promise<UserRow[]> {
    return this.database.query<UserRow>(READERS, [bookId, count]);
  }

  /** The books with the highest ids. */
  listNewest(count: number): Promise<BookRow[]> {
    return this.database.query<BookRow>(NEWEST, [count]);
  }

  /** Ids of the books with most raters. It reads all books: callers keep the result. */
  async listPopularIds(count: number): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(POPULAR, [count]);
    return rows.map(({ id }) => id);
  }

  /** Tags of most books. It reads the counts of all tags: callers keep the result. */
  async listPopularTags(count: number): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(POPULAR_TAGS, [count]);
    return rows.map(({ name }) => name);
  }

  async findSeries(id: number): Promise<{ id: string; title: string } | undefined> {
    return (await this.database.query<{ id: string; title: string }>(SERIES, [id]))[0];
  }

  /** Whether an administrator deleted a book. */
  async isDeleted(id: number): Promise<boolean> {
    return (await this.database.query(DELETED, [id])).length > 0;
  }

  /** The ids of books, for site maps. */
  scanBooks(): IdScan {
    return new IdScan(this.database, SITE_MAP);
  }
}
