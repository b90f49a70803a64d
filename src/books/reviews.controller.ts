import { Controller, Delete, Post, Put } from '@nestjs/common';
import { type CallingUser } from '../api/access';
import { BodyInput } from '../api/input';
import { IdParam, Login, Responds, RespondsJson, Scopes, Summary, UserCalling } from '../api/route';
import { OwnReview } from './books.resources';
import { type ReviewSource } from './reviews.repository';
import { ReviewsService } from './reviews.service';
import { NewReview, ReviewWrite } from './writes.input';

@Controller('v2/book')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Post('reviews')
  @Scopes('service_basic_common')
  @Login()
  @Responds(OwnReview, { status: 201 })
  @Summary('Review a book')
  add(
    @BodyInput(NewReview) input: NewReview,
    @UserCalling() user: CallingUser,
  ): Promise<ReviewSource> {
    return this.reviews.add(user.id, input);
  }

  @Put('review/:id')
  @Scopes('service_basic_common')
  @Login()
  @Responds(OwnReview, { status: 202 })
  @Summary('Change a review of your own')
  change(
    @IdParam('id') id: number,
    @BodyInput(ReviewWrite) input: ReviewWrite,
    @UserCalling() user: CallingUser,
  ): Promise<ReviewSource> {
    return this.reviews.change(user.id, id, input);
  }

  @Delete('review/:id')
  @Scopes('service_basic_common')
  @Login()
  @RespondsJson({ const: 'OK' })
  @Summary('Delete a review of your own')
  async remove(@IdParam('id') id: number, @UserCalling() user: CallingUser): Promise<string> {
    await this.reviews.remove(user.id, id);
    return 'OK';
  }
}
