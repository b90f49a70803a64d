import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access';
import { QueryInput } from '../api/input';
import { type Page, type PageQuery } from '../api/page';
import {
  Calling,
  Fields,
  IdParam,
  NameParam,
  Paging,
  Responds,
  RespondsList,
  Scopes,
  Summary,
} from '../api/route';
import { AnnotationsService } from './annotations.service';
import { AnnotationInput, AnnotationsInput } from './books.input';
import { Annotation } from './books.resources';
import { type AnnotationRow } from './books.rows';

@Controller('v2/book')
export class AnnotationsController {
  constructor(private readonly annotations: AnnotationsService) {}

  @Get('annotation/:id')
  @Scopes('book_basic_r')
  @Fields()
  @Responds(Annotation)
  @Summary('An annotation')
  byId(
    @IdParam('id') id: number,
    @QueryInput(AnnotationInput) input: AnnotationInput,
    @Calling() caller: Caller,
  ): Promise<AnnotationRow> {
    return this.annotations.byId(id, input, caller);
  }

  @Get('user/:name/annotations')
  @Scopes('book_basic_r')
  @Fields()
  @RespondsList('annotations', Annotation)
  @Summary("A user's annotations, newest first")
  ofUser(
    @NameParam('name') name: string,
    @QueryInput(AnnotationInput) input: AnnotationInput,
    @Paging() page: PageQuery,
    @Calling() caller: Caller,
  ): Promise<Page<AnnotationRow>> {
    return this.annotations.ofUser(name, input, page, caller);
  }

  @Get(':id/annotations')
  @Scopes('book_basic_r')
  @Fields()
  @RespondsList('annotations', Annotation)
  @Summary('Public annotations of a book')
  ofBook(
    @IdParam('id') id: number,
    @QueryInput(AnnotationsInput) input: AnnotationsInput,
    @Paging() page: PageQuery,
  ): Promise<Page<AnnotationRow>> {
    return this.annotations.ofBook(id, input, page);
  }
}
