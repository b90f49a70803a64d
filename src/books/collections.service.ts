import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { loginNeeded } from '../api/access/access.guard';
import { ApiError, malformed } from '../api/errors/error-codes';
import { type PageQuery } from '../api/resources/page';
import { lengthOf } from '../api/input/text-input';
import { MAX_COLLECTION_TAGS } from '../api/input/text-limits';
import { UsersService } from '../users/users.service';
import { type CollectionsInput } from './books.input';
import { type CollectionSource } from './books.resources';
import { type UserCollections } from './books.rows';
import { BooksService, checkKind } from './books.service';
import { CollectionsRepository, type NewCollection } from './collections.repository';
import { type TransactionHooks } from '../database/database';
import { type CollectionWrite } from './collections.input';

/** Maximum number of characters per tag (D23). */
const MAX_TAG_LENGTH = 20;

/** Splits a text into distinct tags at white space (D23). */
function splitTags(text = ''): string[] {
  const tags = [...new Set(text.split(/\s+/).filter((tag) => tag !== ''))];
  if (tags.length > MAX_COLLECTION_TAGS || tags.some((tag) => lengthOf(tag) > MAX_TAG_LENGTH)) {
    throw malformed(
      `tags must be at most ${MAX_COLLECTION_TAGS} of at most ${MAX_TAG_LENGTH} characters each`,
    );
  }
  return tags;
}

const wanted = (input: CollectionWrite): NewCollection => ({
  status: input.status,
  rating: input.rating ?? null,
  comment: input.comment ?? '',
  tags: splitTags(input.tags),
  private: input.privacy === 'private',
  moderationFlag: input.moderationFlag,
});

const notCollected = (): ApiError =>
  new ApiError('uriNotFound', { detail: 'the user has not collected this book' });

@Injectable()
export class CollectionsService {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly books: BooksService,
    private readonly users: UsersService,
  ) {}

  /** @throws ApiError 6008 for an unknown user */
  async listUserCollections(
    name: string,
    filter: CollectionsInput,
    page: PageQuery,
    caller: Caller,
  ): Promise<UserCollections> {
    const { id: userId } = await this.users.byName(name);
    const viewer = caller.user?.id;
    const found = await this.collections.listUserCollections(userId, viewer, filter, page);
    return { ...found, userId, isOwn: viewer === userId };
  }

  /**
   * The collection of a book by `name`, or by the caller without a name (D22).
   * @throws ApiError 1000 without name and user (D12), 6008 for an unknown user, 6000 or 6007 for
   * no book, 1001 without a visible collection (D21)
   */
  async getCollection(
    bookId: number,
    name: string | undefined,
    caller: Caller,
  ): Promise<CollectionSource> {
    const viewer = caller.user?.id;
    if (name === undefined && viewer === undefined) throw loginNeeded();
    await this.books.checkBook(bookId);
    const userId = name === undefined ? (viewer as number) : (await this.users.byName(name)).id;
    const collection = await this.collections.findCollection(bookId, userId, viewer);
    if (!collection) throw notCollected();
    return collection;
  }

  /**
   * Creates a collection.
   * @throws ApiError 6011 when it exists, 6000 or 6007 for no book, 999 for too many or too long
   *   tags
   */
  async createCollection(
    userId: number,
    bookId: number,
    input: CollectionWrite,
    hooks?: TransactionHooks,
  ): Promise<CollectionSource> {
    const made = await this.collections.insertCollection(
      userId,
      bookId,
      wanted(input),
      checkKind,
      hooks,
    );
    if (!made)
      throw new ApiError('collectionExist', {
        detail: 'the user has already collected this book; use PUT',
      });
    return made;
  }

  /**
   * Replaces a collection; omitted members are cleared.
   * @throws ApiError 1001 when not found, else like `add`
   */
  async updateCollection(
    userId: number,
    bookId: number,
    input: CollectionWrite,
  ): Promise<CollectionSource> {
    const changed = await this.collections.updateCollection(
      userId,
      bookId,
      wanted(input),
      checkKind,
    );
    if (!changed) throw notCollected();
    return changed;
  }

  /**
   * Deletes a collection, also of a soft-deleted book or a placeholder.
   * @throws ApiError 1001 when not found, 6000 or 6007 for no book
   */
  async deleteCollection(userId: number, bookId: number): Promise<void> {
    if (!(await this.collections.deleteCollection(userId, bookId, checkKind))) throw notCollected();
  }
}
