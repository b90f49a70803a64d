import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { listTotal } from '../database/list-counts';
import { paginated } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { userJson } from '../users/users.resources';
import { toPageOf, type RowOf } from './lists';
import { type CommentRow, type ReviewRow } from './movies.rows';
import { SUBJECT_OF_LIST } from './movies.sql';

/** Most useful reviews first. */
export const REVIEW_ORDER = [
  'useful_count DESC',
  'sort_order',
  'created_at DESC NULLS LAST',
  'id DESC',
] as const;

const REVIEWS = statement(
  'movie_reviews.of_subject',
  paginated({
    of: SUBJECT_OF_LIST,
    hits: 'SELECT r.* FROM movie_reviews r WHERE r.subject_id = $3',
    inOrder: true,
    total: listTotal('movieReviews', '$3'),
    key: 'id',
    order: REVIEW_ORDER,
    columns: `one.parent, p.id, p.title, p.subject_id, p.summary, p.rating, p.useful_count,
      p.useless_count, p.comments_count, ${wireTime('p.created_at')} AS created_at,
      ${wireTime('p.updated_at')} AS updated_at, ${userJson('u')} AS author`,
    joins: 'LEFT JOIN users u ON u.id = p.user_id',
    limit: ['$1', '$2'],
  }),
);

/** Short comments on a subject; the benchmark uses it too. */
export const COMMENTS_OF_SUBJECT = statement(
  'movie_comments.of_subject',
  paginated({
    of: SUBJECT_OF_LIST,
    hits: 'SELECT n.* FROM movie_comments n WHERE n.subject_id = $3',
    inOrder: true,
    total: listTotal('movieComments', '$3'),
    key: 'id',
    order: ['useful_count DESC', 'created_at DESC', 'id DESC'],
    columns: `one.parent, p.id, p.subject_id, p.content, p.rating, p.useful_count,
      ${wireTime('p.created_at')} AS created_at, ${userJson('u')} AS author`,
    joins: 'LEFT JOIN users u ON u.id = p.user_id',
    limit: ['$1', '$2'],
  }),
);

@Injectable()
export class ReviewsRepository {
  constructor(private readonly database: Database) {}

  /** Reviews of a subject, with the subject; undefined when not found. */
  async listSubjectReviews(id: number, page: PageQuery): Promise<Page<ReviewRow> | undefined> {
    const values = [page.count, page.start, id];
    const rows = await this.database.query<RowOf<ReviewRow>>(REVIEWS, values);
    return toPageOf(rows, page.start, 'subject');
  }

  /** Short comments on a subject, with the subject; undefined when not found. */
  async commentsOn(id: number, page: PageQuery): Promise<Page<CommentRow> | undefined> {
    const values = [page.count, page.start, id];
    const rows = await this.database.query<RowOf<CommentRow>>(COMMENTS_OF_SUBJECT, values);
    return toPageOf(rows, page.start, 'subject');
  }
}
