import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { wireTime } from '../database/wire-time';
import { userJson } from '../users/users.resources';
import { bookJson } from './books.sql';
import { type BookRow, type ReviewRow } from './books.rows';

const COLUMNS = `r.id, r.title, r.content, r.rating, r.votes, r.useless, r.comments,
  ${wireTime('r.published_at')} AS published, ${wireTime('r.updated_at')} AS updated,
  ${userJson('u')} AS author, ${bookJson('b', 's')} AS book`;

const WITH_PARENTS = `JOIN users u ON u.id = r.user_id JOIN books b ON b.id = r.book_id
  LEFT JOIN series s ON s.id = b.series_id`;

const ADD = statement(
  'reviews.add',
  `WITH r AS (INSERT INTO reviews (user_id, book_id, title, content, rating)
     VALUES ($1, $2, $3, $4, $5) RETURNING *)
   SELECT ${COLUMNS} FROM r ${WITH_PARENTS}`,
);

// Whose review it is, and the change, in one: nobody can come between.
const CHANGE = statement(
  'reviews.change',
  `WITH r AS (UPDATE reviews SET title = $3, content = $4, rating = $5,
       updated_at = date_trunc('second', now())
     WHERE id = $1 AND user_id = $2 RETURNING *)
   SELECT ${COLUMNS} FROM r ${WITH_PARENTS}`,
);

const REMOVE = statement(
  'reviews.remove',
  'DELETE FROM reviews WHERE id = $1 AND user_id = $2 RETURNING 1',
);

const EXISTS = statement('reviews.exists', 'SELECT 1 FROM reviews WHERE id = $1');

/** A review as it shall be. */
export interface NewReviewText {
  readonly title: string;
  readonly content: string;
  readonly rating: number | null;
}

export type ReviewSource = ReviewRow & { readonly book: BookRow };

@Injectable()
export class ReviewsRepository {
  constructor(private readonly database: Database) {}

  async add(userId: number, bookId: number, text: NewReviewText): Promise<ReviewSource> {
    const values = [userId, bookId, text.title, text.content, text.rating];
    // In a transaction, so that a safe retry is noted down with it.
    const [row] = await this.database.transaction((runner) =>
      runner.run<ReviewSource>(ADD, values),
    );
    return row as ReviewSource;
  }

  /** The changed review, or undefined when it is not the user's. */
  async change(id: number, userId: number, text: NewReviewText): Promise<ReviewSource | undefined> {
    const values = [id, userId, text.title, text.content, text.rating];
    return (await this.database.run<ReviewSource>(CHANGE, values))[0];
  }

  /** Whether it was the user's, and is gone now. */
  async remove(id: number, userId: number): Promise<boolean> {
    return (await this.database.run(REMOVE, [id, userId])).length > 0;
  }

  async exists(id: number): Promise<boolean> {
    return (await this.database.run(EXISTS, [id])).length > 0;
  }
}
