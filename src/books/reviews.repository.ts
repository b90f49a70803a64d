import { Injectable } from '@nestjs/common';
import { type ModerationFlag } from '../api/writes/moderation';
import { Database, statement, type TransactionHooks } from '../database/database';
import { wireTime } from '../database/wire-time';
import {
  reviewEdit,
  enqueueForReview,
  type ModeratedContent,
} from '../moderation/moderation-queue.repository';
import { userJson } from '../users/users.resources';
import { bookJson, KEPT_BOOK } from './books.sql';
import { type BookRow, type ReviewRow } from './books.rows';

const COLUMNS = `r.id, r.title, r.content, r.rating, r.votes, r.useless, r.comments,
  ${wireTime('r.published_at')} AS published, ${wireTime('r.updated_at')} AS updated,
  ${userJson('u')} AS author, ${bookJson('b', 's')} AS book`;

const WITH_PARENTS = `JOIN users u ON u.id = r.user_id JOIN books b ON b.id = r.book_id
  LEFT JOIN series s ON s.id = b.series_id`;

const ADD = statement(
  'reviews.add',
  `WITH k AS (${KEPT_BOOK}), r AS (
     INSERT INTO reviews (user_id, book_id, title, content, rating, hidden)
     SELECT $1::bigint, k.id, $3, $4, $5::smallint, $6::boolean FROM k RETURNING *)
   SELECT ${COLUMNS} FROM r ${WITH_PARENTS}`,
);

const LOCK = statement(
  'reviews.lock',
  'SELECT hidden FROM reviews WHERE id = $1 AND user_id = $2 FOR UPDATE',
);

const CHANGE = statement(
  'reviews.change',
  `WITH r AS (UPDATE reviews SET title = $2, content = $3, rating = $4, hidden = $5,
       updated_at = date_trunc('second', now())
     WHERE id = $1 RETURNING *)
   SELECT ${COLUMNS} FROM r ${WITH_PARENTS}`,
);

const REMOVE = statement(
  'reviews.remove',
  'DELETE FROM reviews WHERE id = $1 AND user_id = $2 RETURNING 1',
);

const IS_VISIBLE_TO_OTHERS = statement(
  'reviews.is_visible_to_others',
  'SELECT 1 FROM reviews WHERE id = $1 AND NOT hidden',
);

/** The new state of a review. */
export interface NewReviewText {
  readonly title: string;
  readonly content: string;
  readonly rating: number | null;
  readonly moderationFlag: ModerationFlag | undefined;
}

const writingOf = (id: number, userId: number, text: NewReviewText): ModeratedContent => ({
  kind: 'review',
  id,
  userId,
  moderationFlag: text.moderationFlag,
  text: [text.title, text.content].join('\n'),
});

export type ReviewSource = ReviewRow & { readonly book: BookRow };

@Injectable()
export class ReviewsRepository {
  constructor(private readonly database: Database) {}

  /** The new review; undefined when the book does not exist any more. */
  async add(
    userId: number,
    bookId: number,
    text: NewReviewText,
    hooks?: TransactionHooks,
  ): Promise<ReviewSource | undefined> {
    const hidden = text.moderationFlag !== undefined;
    const values = [userId, bookId, text.title, text.content, text.rating, hidden];
    return this.database.transaction(async (runner) => {
      const [made] = await runner.query<ReviewSource>(ADD, values);
      if (made) await enqueueForReview(runner, writingOf(Number(made.id), userId, text));
      return made;
    }, hooks);
  }

  /** The changed review, or undefined when it is not the user's. */
  async change(id: number, userId: number, text: NewReviewText): Promise<ReviewSource | undefined> {
    return this.database.transaction(async (runner) => {
      const [before] = await runner.query<{ hidden: boolean }>(LOCK, [id, userId]);
      if (!before) return undefined;
      const hidden = await reviewEdit(runner, writingOf(id, userId, text), before.hidden);
      const values = [id, text.title, text.content, text.rating, hidden];
      return (await runner.query<ReviewSource>(CHANGE, values))[0];
    });
  }

  /** Deletes a review of the user. @returns whether it existed */
  async remove(id: number, userId: number): Promise<boolean> {
    return (await this.database.query(REMOVE, [id, userId])).length > 0;
  }

  /** Whether users other than its author can see a review. */
  async isVisibleToOthers(id: number): Promise<boolean> {
    return (await this.database.query(IS_VISIBLE_TO_OTHERS, [id])).length > 0;
  }
}
