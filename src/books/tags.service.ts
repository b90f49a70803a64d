import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { UsersService } from '../users/users.service';
import { checkKind } from './books.service';
import { TagsRepository } from './tags.repository';

@Injectable()
export class TagsService {
  constructor(
    private readonly tags: TagsRepository,
    private readonly users: UsersService,
  ) {}

  /** @throws ApiError 6000 for an unknown book, 6007 for something else (D27) */
  async listBookTags(bookId: number, page: PageQuery): Promise<Page<{ name: string }>> {
    const tags = await this.tags.listBookTags(bookId, page);
    checkKind(tags.kind);
    return tags;
  }

  /** @throws ApiError 6008 for an unknown user */
  async listUserTags(
    name: string,
    page: PageQuery,
    caller: Caller,
  ): Promise<Page<{ name: string }>> {
    const user = await this.users.byName(name);
    return this.tags.listUserTags(user.id, caller.user?.id, page);
  }
}
