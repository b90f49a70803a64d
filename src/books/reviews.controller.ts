import { Controller, Delete, Post, Put } from '@nestjs/common';
import { type CallingUser } from '../api/access/access';
import { BodyInput } from '../api/input/input';
import {
  Errors,
  IdParam,
  RequireUser,
  Responds,
  RespondsJson,
  RequireScope,
  OperationId,
  Summary,
  CurrentUser,
} from '../api/routing/route';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { OwnReview } from './books.resources';
import { type ReviewSource } from './reviews.repository';
import { ReviewsService } from './reviews.service';
import { NewReview, ReviewWrite } from './collections.input';

@Controller('v2/book')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Post('reviews')
  @RequireScope('service_basic_common')
  @RequireUser()
  @Responds(OwnReview, { status: 201 })
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('createBookReview')
  @Summary('Review a book')
  createReview(
    @BodyInput(NewReview) input: NewReview,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<ReviewSource> {
    return this.reviews.createReview(user.id, input, hooks);
  }

  @Put('review/:id')
  @RequireScope('service_basic_common')
  @RequireUser()
  @Responds(OwnReview, { status: 202 })
  @Errors('unauthorized', 'reviewNotFound')
  @OperationId('updateBookReview')
  @Summary('Change a review of your own')
  updateReview(
    @IdParam('id') id: number,
    @BodyInput(ReviewWrite) input: ReviewWrite,
    @CurrentUser() user: CallingUser,
  ): Promise<ReviewSource> {
    return this.reviews.updateReview(user.id, id, input);
  }

  @Delete('review/:id')
  @RequireScope('service_basic_common')
  @RequireUser()
  @RespondsJson({ const: 'OK' })
  @Errors('unauthorized', 'reviewNotFound')
  @OperationId('deleteBookReview')
  @Summary('Delete a review of your own')
  async deleteReview(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<string> {
    await this.reviews.deleteReview(user.id, id);
    return 'OK';
  }
}
