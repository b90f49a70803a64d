import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access';
import { ApiError } from '../api/errors';
import { type Page, type PageQuery } from '../api/page';
import { UsersService } from '../users/users.service';
import { AnnotationsRepository } from './annotations.repository';
import { type AnnotationInput, type AnnotationsInput } from './books.input';
import { type AnnotationRow } from './books.rows';
import { checkKind } from './books.service';

const inFormat = (row: AnnotationRow, format: 'text' | 'html'): AnnotationRow =>
  format === 'html' ? { ...row, html: true } : row;

@Injectable()
export class AnnotationsService {
  constructor(
    private readonly annotations: AnnotationsRepository,
    private readonly users: UsersService,
  ) {}

  /** @throws ApiError 6008 for an unknown user */
  async ofUser(
    name: string,
    { format }: AnnotationInput,
    page: PageQuery,
    caller: Caller,
  ): Promise<Page<AnnotationRow>> {
    const user = await this.users.byName(name);
    const found = await this.annotations.ofUser(user.id, caller.user?.id, page);
    return { ...found, items: found.items.map((row) => inFormat(row, format)) };
  }

  /** @throws ApiError 6000 for an unknown book, 6007 for something else (D27) */
  async ofBook(
    bookId: number,
    input: AnnotationsInput,
    page: PageQuery,
  ): Promise<Page<AnnotationRow>> {
    const found = await this.annotations.ofBook(bookId, input, page);
    checkKind(found.kind);
    return { ...found, items: found.items.map((row) => inFormat(row, input.format)) };
  }

  /** @throws ApiError 1001 for an unknown one, or somebody else's private one (D21) */
  async byId(id: number, { format }: AnnotationInput, caller: Caller): Promise<AnnotationRow> {
    const row = await this.annotations.byId(id, caller.user?.id);
    if (!row) throw new ApiError('uriNotFound', { detail: 'no such annotation' });
    return inFormat(row, format);
  }
}
