import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access';
import { loginNeeded } from '../api/access.guard';
import { ApiError } from '../api/errors';
import { type Page, type PageQuery } from '../api/page';
import { UsersService } from '../users/users.service';
import { type CollectionsInput } from './books.input';
import { type CollectionSource } from './books.resources';
import { BooksService } from './books.service';
import { CollectionsRepository } from './collections.repository';

@Injectable()
export class CollectionsService {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly books: BooksService,
    private readonly users: UsersService,
  ) {}

  /** @throws ApiError 6008 for an unknown user */
  async ofUser(
    name: string,
    filter: CollectionsInput,
    page: PageQuery,
    caller: Caller,
  ): Promise<Page<CollectionSource>> {
    const user = await this.users.byName(name);
    return this.collections.ofUser(user.id, caller.user?.id, filter, page);
  }

  /**
   * The collection of a book by `name`, or by the caller when no name is given (D22).
   *
   * @throws ApiError 1000 without name and user (D12), 6008 for an unknown user, 6000 or 6007 for
   * no book, 1001 when the user has not collected it or keeps it private (D21)
   */
  async ofBook(
    bookId: number,
    name: string | undefined,
    caller: Caller,
  ): Promise<CollectionSource> {
    const viewer = caller.user?.id;
    if (name === undefined && viewer === undefined) throw loginNeeded();
    await this.books.checkBook(bookId);
    const userId = name === undefined ? (viewer as number) : (await this.users.byName(name)).id;
    const collection = await this.collections.ofBook(bookId, userId, viewer);
    if (!collection) throw new ApiError('uriNotFound', { detail: 'not collected' });
    return collection;
  }
}
