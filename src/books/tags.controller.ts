import { Controller, Get } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Errors,
  CurrentCaller,
  Deprecated,
  Fields,
  IdParam,
  NameParam,
  Paging,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
} from '../api/routing/route';
import { Tag } from './books.resources';
import { TagsService } from './tags.service';
import { BookIdParam } from './book-id-param';

@Controller('v2/book')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get(':id/tags')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('tags', Tag)
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('listBookTags')
  @Summary('Tags of a book, at most its top 50')
  listBookTags(@BookIdParam('id') id: number, @Paging() page: PageQuery): Promise<Page<unknown>> {
    return this.tags.listBookTags(id, page);
  }

  @Get('user/:name/tags')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('tags', Tag)
  @Errors('peopleNotFound')
  @OperationId('listUserTags')
  @Summary('Tags that a user gives to books')
  listUserTags(
    @NameParam('name') name: string,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<unknown>> {
    return this.tags.listUserTags(name, page, caller);
  }

  @Get('user_tags/:id')
  @RequireScope('service_basic_common')
  @Fields()
  @RespondsList('tags', Tag)
  @Deprecated({
    since: new Date('2012-12-01T00:00:00Z'),
    sunset: new Date('2028-12-31T00:00:00Z'),
    successor: '/v2/book/user/:id/tags',
  })
  @Errors('peopleNotFound')
  @OperationId('listUserTagsById')
  @Summary('The same as /v2/book/user/:name/tags; deprecated')
  listUserTagsById(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<unknown>> {
    return this.tags.listUserTags(String(id), page, caller);
  }
}
