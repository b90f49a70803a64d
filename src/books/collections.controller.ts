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
import { CollectionsInput, SingleCollectionInput } from './books.input';
import { Collection, type CollectionSource } from './books.resources';
import { CollectionsService } from './collections.service';

@Controller('v2/book')
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  @Get('user/:name/collections')
  @Scopes('book_basic_r')
  @Fields()
  @RespondsList('collections', Collection)
  @Summary('Books that a user collects')
  ofUser(
    @NameParam('name') name: string,
    @QueryInput(CollectionsInput) filter: CollectionsInput,
    @Paging() page: PageQuery,
    @Calling() caller: Caller,
  ): Promise<Page<CollectionSource>> {
    return this.collections.ofUser(name, filter, page, caller);
  }

  @Get(':id/collection')
  @Scopes('book_basic_r')
  @Fields()
  @Responds(Collection)
  @Summary("The caller's collection of a book, or another user's public one")
  ofBook(
    @IdParam('id') id: number,
    @QueryInput(SingleCollectionInput) { user_id: name }: SingleCollectionInput,
    @Calling() caller: Caller,
  ): Promise<CollectionSource> {
    return this.collections.ofBook(id, name, caller);
  }
}
