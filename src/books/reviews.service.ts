import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/errors/error-codes';
import { BooksService } from './books.service';
import { ReviewsRepository, type NewReviewText, type ReviewSource } from './reviews.repository';
import { type TransactionHooks } from '../database/database';
import { type NewReview, type ReviewWrite } from './collections.input';

const textOf = ({ title, content, rating, moderationFlag }: ReviewWrite): NewReviewText => ({
  title,
  content,
  rating: rating ?? null,
  moderationFlag,
});

/** Reviews of books for their authors (D26). */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly books: BooksService,
  ) {}

  /** @throws ApiError 6000 for an unknown book, 6007 for something else (D27) */
  async createReview(
    userId: number,
    input: NewReview,
    hooks?: TransactionHooks,
  ): Promise<ReviewSource> {
    const bookId = await this.books.checkKnown(input.book);
    const made = await this.reviews.add(userId, bookId, textOf(input), hooks);
    // Deleted or merged since the check.
    if (!made) throw new ApiError('bookNotFound', { detail: 'book not found' });
    return made;
  }

  /** @throws ApiError 6006 for an unknown review, 6002 for another user's */
  async updateReview(userId: number, id: number, input: ReviewWrite): Promise<ReviewSource> {
    const changed = await this.reviews.change(id, userId, textOf(input));
    if (!changed) throw await this.notOwn(id);
    return changed;
  }

  /** @throws ApiError 6006 for an unknown review, 6002 for another user's */
  async deleteReview(userId: number, id: number): Promise<void> {
    if (!(await this.reviews.remove(id, userId))) throw await this.notOwn(id);
  }

  private async notOwn(id: number): Promise<ApiError> {
    return (await this.reviews.isVisibleToOthers(id))
      ? new ApiError('unauthorized', { detail: "this is somebody else's review" })
      : new ApiError('reviewNotFound', { detail: 'review not found' });
  }
}
