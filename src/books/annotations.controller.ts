import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { type Caller, type CallingUser } from '../api/access/access';
import { BodyInput, QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Errors,
  CurrentCaller,
  Fields,
  IdParam,
  RequireUser,
  NameParam,
  Paging,
  Responds,
  RespondsEmpty,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
  UploadedPictures,
  Uploads,
  CurrentUser,
} from '../api/routing/route';
import { type PictureUpload } from '../api/body/uploads';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { NUMBERED_PICTURES } from './annotation-pictures';
import { AnnotationsService } from './annotations.service';
import { AnnotationInput, AnnotationsInput } from './books.input';
import { Annotation } from './books.resources';
import { type AnnotationRow } from './books.rows';
import { AnnotationWrite } from './collections.input';
import { BookIdParam } from './book-id-param';

@Controller('v2/book')
export class AnnotationsController {
  constructor(private readonly annotations: AnnotationsService) {}

  @Get('annotation/:id')
  @RequireScope('book_basic_r')
  @Fields()
  @Responds(Annotation)
  @OperationId('getAnnotation')
  @Summary('An annotation')
  getAnnotation(
    @IdParam('id') id: number,
    @QueryInput(AnnotationInput) input: AnnotationInput,
    @CurrentCaller() caller: Caller,
  ): Promise<AnnotationRow> {
    return this.annotations.getAnnotation(id, input, caller);
  }

  @Get('user/:name/annotations')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('annotations', Annotation, { longTexts: true })
  @Errors('peopleNotFound')
  @OperationId('listUserAnnotations')
  @Summary("A user's annotations, newest first")
  listUserAnnotations(
    @NameParam('name') name: string,
    @QueryInput(AnnotationInput) input: AnnotationInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<AnnotationRow>> {
    return this.annotations.listUserAnnotations(name, input, page, caller);
  }

  @Get(':id/annotations')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('annotations', Annotation, { longTexts: true })
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('listBookAnnotations')
  @Summary('Public annotations of a book')
  listBookAnnotations(
    @BookIdParam('id') id: number,
    @QueryInput(AnnotationsInput) input: AnnotationsInput,
    @Paging() page: PageQuery,
  ): Promise<Page<AnnotationRow>> {
    return this.annotations.listBookAnnotations(id, input, page);
  }

  @Post(':id/annotations')
  @RequireScope('book_basic_w')
  @RequireUser()
  @Uploads(NUMBERED_PICTURES)
  @Responds(Annotation, { status: 201 })
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('createAnnotation')
  @Summary('Annotate a book')
  createAnnotation(
    @BookIdParam('id') id: number,
    @BodyInput(AnnotationWrite) input: AnnotationWrite,
    @UploadedPictures() pictures: readonly PictureUpload[],
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<AnnotationRow> {
    return this.annotations.createAnnotation(user.id, id, input, pictures, hooks);
  }

  @Put('annotation/:id')
  @RequireScope('book_basic_w')
  @RequireUser()
  @Uploads(NUMBERED_PICTURES)
  @Responds(Annotation, { status: 202 })
  @Errors('unauthorized')
  @OperationId('updateAnnotation')
  @Summary('Change an annotation of your own')
  updateAnnotation(
    @IdParam('id') id: number,
    @BodyInput(AnnotationWrite) input: AnnotationWrite,
    @UploadedPictures() pictures: readonly PictureUpload[],
    @CurrentUser() user: CallingUser,
  ): Promise<AnnotationRow> {
    return this.annotations.updateAnnotation(user.id, id, input, pictures);
  }

  @Delete('annotation/:id')
  @RequireScope('book_basic_w')
  @RequireUser()
  @RespondsEmpty()
  @Errors('unauthorized')
  @OperationId('deleteAnnotation')
  @Summary('Delete an annotation of your own')
  deleteAnnotation(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<void> {
    return this.annotations.deleteAnnotation(user.id, id);
  }
}
