import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { type Caller, type CallingUser } from '../api/access';
import { BodyInput, QueryInput } from '../api/input';
import { type Page, type PageQuery } from '../api/page';
import {
  Calling,
  Fields,
  IdParam,
  Login,
  NameParam,
  Paging,
  Responds,
  RespondsEmpty,
  RespondsList,
  Scopes,
  Summary,
  UserCalling,
} from '../api/route';
import { CollectionsInput, SingleCollectionInput } from './books.input';
import { Collection, type CollectionSource } from './books.resources';
import { CollectionsService } from './collections.service';
import { CollectionWrite } from './writes.input';

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

  @Post(':id/collection')
  @Scopes('book_basic_w')
  @Login()
  @Responds(Collection, { status: 201 })
  @Summary('Collect a book')
  add(
    @IdParam('id') id: number,
    @BodyInput(CollectionWrite) input: CollectionWrite,
    @UserCalling() user: CallingUser,
  ): Promise<CollectionSource> {
    return this.collections.add(user.id, id, input);
  }

  @Put(':id/collection')
  @Scopes('book_basic_w')
  @Login()
  @Responds(Collection, { status: 202 })
  @Summary('Change your collection of a book')
  change(
    @IdParam('id') id: number,
    @BodyInput(CollectionWrite) input: CollectionWrite,
    @UserCalling() user: CallingUser,
  ): Promise<CollectionSource> {
    return this.collections.change(user.id, id, input);
  }

  @Delete(':id/collection')
  @Scopes('book_basic_w')
  @Login()
  @RespondsEmpty()
  @Summary('Collect a book no longer')
  remove(@IdParam('id') id: number, @UserCalling() user: CallingUser): Promise<void> {
    return this.collections.remove(user.id, id);
  }
}
