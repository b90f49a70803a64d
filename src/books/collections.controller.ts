import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { type Caller, type CallingUser } from '../api/access/access';
import { BodyInput, QueryInput } from '../api/input/input';
import { type PageQuery } from '../api/resources/page';
import {
  Cached,
  Errors,
  CurrentCaller,
  Fields,
  RequireUser,
  NameParam,
  Paging,
  Responds,
  RespondsEmpty,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
  CurrentUser,
} from '../api/routing/route';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { CollectionsInput, SingleCollectionInput } from './books.input';
import { COLLECTIONS_OF_USER } from './books.cache';
import { Collection, type CollectionSource } from './books.resources';
import { type UserCollections } from './books.rows';
import { CollectionsService } from './collections.service';
import { CollectionWrite } from './collections.input';
import { BookIdParam } from './book-id-param';

@Controller('v2/book')
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  @Get('user/:name/collections')
  @Cached(COLLECTIONS_OF_USER)
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('collections', Collection)
  @Errors('peopleNotFound')
  @OperationId('listUserCollections')
  @Summary('Books that a user collects')
  listUserCollections(
    @NameParam('name') name: string,
    @QueryInput(CollectionsInput) filter: CollectionsInput,
    @Paging() page: PageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UserCollections> {
    return this.collections.listUserCollections(name, filter, page, caller);
  }

  @Get(':id/collection')
  @RequireScope('book_basic_r')
  @Fields()
  @Responds(Collection)
  @Errors('bookNotFound', 'notBookRequest', 'peopleNotFound')
  @OperationId('getCollection')
  @Summary("The caller's collection of a book, or another user's public one")
  getCollection(
    @BookIdParam('id') id: number,
    @QueryInput(SingleCollectionInput) { user_id: name }: SingleCollectionInput,
    @CurrentCaller() caller: Caller,
  ): Promise<CollectionSource> {
    return this.collections.getCollection(id, name, caller);
  }

  @Post(':id/collection')
  @RequireScope('book_basic_w')
  @RequireUser()
  @Responds(Collection, { status: 201 })
  @Errors('bookNotFound', 'notBookRequest', 'collectionExist')
  @OperationId('createCollection')
  @Summary('Collect a book')
  createCollection(
    @BookIdParam('id') id: number,
    @BodyInput(CollectionWrite) input: CollectionWrite,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<CollectionSource> {
    return this.collections.createCollection(user.id, id, input, hooks);
  }

  @Put(':id/collection')
  @RequireScope('book_basic_w')
  @RequireUser()
  @Responds(Collection, { status: 202 })
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('updateCollection')
  @Summary('Change your collection of a book')
  updateCollection(
    @BookIdParam('id') id: number,
    @BodyInput(CollectionWrite) input: CollectionWrite,
    @CurrentUser() user: CallingUser,
  ): Promise<CollectionSource> {
    return this.collections.updateCollection(user.id, id, input);
  }

  @Delete(':id/collection')
  @RequireScope('book_basic_w')
  @RequireUser()
  @RespondsEmpty()
  @Errors('bookNotFound', 'notBookRequest')
  @OperationId('deleteCollection')
  @Summary('Collect a book no longer')
  deleteCollection(@BookIdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<void> {
    return this.collections.deleteCollection(user.id, id);
  }
}
