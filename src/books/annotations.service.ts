import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import { ApiError } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { type PictureUpload } from '../api/body/uploads';
import { moderate } from '../api/input/input';
import { Moderator } from '../api/writes/moderation';
import { PicturesService } from '../images/pictures.service';
import { UsersService } from '../users/users.service';
import { type AnnotationFormat, type AnnotationsQuery } from './annotation-lists.sql';
import { ingestPictures } from './annotation-pictures';
import {
  AnnotationsRepository,
  type NewAnnotation,
  type StoredAnnotation,
} from './annotations.repository';
import { type AnnotationInput } from './books.input';
import { type AnnotationRow } from './books.rows';
import { BooksService, checkKind } from './books.service';
import { type TransactionHooks } from '../database/database';
import { AnnotationWrite } from './collections.input';

const inFormat = (row: AnnotationRow, format: AnnotationFormat): AnnotationRow =>
  format === 'html' ? { ...row, html: true } : row;

const notFound = (): ApiError => new ApiError('uriNotFound', { detail: 'annotation not found' });

/** @throws ApiError 1002 when neither page nor chapter is given */
function wanted(input: AnnotationWrite): NewAnnotation {
  const { content, page, chapter, privacy, moderationFlag } = input;
  if (page === undefined && chapter === undefined) {
    throw new ApiError('missingArgs', { detail: 'page or chapter is required' });
  }
  const hidden = privacy === 'private';
  return { content, pageNo: page ?? 0, chapter: chapter ?? '', private: hidden, moderationFlag };
}

/**
 * Rejects everybody except the author. Another user's hidden annotation is reported as not found
 * (D21).
 */
const authorOnly =
  (userId: number) =>
  (stored: StoredAnnotation | undefined): void => {
    if (!stored) throw notFound();
    if (stored.user_id !== userId && (stored.private || stored.hidden)) throw notFound();
    if (stored.user_id !== userId) {
      throw new ApiError('unauthorized', { detail: "this is somebody else's annotation" });
    }
  };

@Injectable()
export class AnnotationsService {
  constructor(
    private readonly annotations: AnnotationsRepository,
    private readonly users: UsersService,
    private readonly books: BooksService,
    private readonly pictures: PicturesService,
    private readonly moderator: Moderator,
  ) {}

  /** @throws ApiError 6008 for an unknown user */
  async listUserAnnotations(
    name: string,
    { format }: { readonly format: AnnotationFormat },
    page: PageQuery,
    caller: Caller,
  ): Promise<Page<AnnotationRow>> {
    const user = await this.users.byName(name);
    const found = await this.annotations.listUserAnnotations(
      user.id,
      caller.user?.id,
      page,
      format,
    );
    return { ...found, items: found.items.map((row) => inFormat(row, format)) };
  }

  /** @throws ApiError 6000 for an unknown book, 6007 for something else (D27) */
  async listBookAnnotations(
    bookId: number,
    input: AnnotationsQuery,
    page: PageQuery,
  ): Promise<Page<AnnotationRow>> {
    const found = await this.annotations.listBookAnnotations(bookId, input, page);
    checkKind(found.kind);
    return { ...found, items: found.items.map((row) => inFormat(row, input.format)) };
  }

  /** @throws ApiError 1001 for an unknown annotation, or another user's private annotation (D21) */
  async getAnnotation(
    id: number,
    { format }: AnnotationInput,
    caller: Caller,
  ): Promise<AnnotationRow> {
    const row = await this.annotations.findAnnotationById(id, caller.user?.id);
    if (!row) throw notFound();
    return inFormat(row, format);
  }

  /**
   * @throws ApiError 6000 for an unknown book, 6007 for something else, 1002 without a place, 1008
   * or 1009 for what is no picture
   */
  async createAnnotation(
    userId: number,
    bookId: number,
    input: AnnotationWrite,
    uploads: readonly PictureUpload[],
    hooks?: TransactionHooks,
  ): Promise<AnnotationRow> {
    let annotation = wanted(input);
    await this.books.checkKnown(bookId);
    const pictures = await ingestPictures(this.pictures, userId, uploads);
    if (pictures.length > 0) annotation = await this.moderateAgain(input);
    const made = await this.annotations.insertAnnotation(
      userId,
      bookId,
      annotation,
      pictures,
      hooks,
    );
    // Deleted or merged since the check.
    if (!made) throw new ApiError('bookNotFound', { detail: 'book not found' });
    return made;
  }

  /**
   * @throws ApiError 1001 for an unknown annotation, 6002 for another user's, 1002 without page and
   * chapter, 999 for a picture whose number is taken, 1008 or 1009 for a file that is not a picture
   */
  async updateAnnotation(
    userId: number,
    id: number,
    input: AnnotationWrite,
    uploads: readonly PictureUpload[],
  ): Promise<AnnotationRow> {
    let annotation = wanted(input);
    const mayChange = authorOnly(userId);
    // Reject early, so that no picture is stored for a rejected request; the write checks again.
    const before = uploads.length > 0 ? await this.annotations.stored(id) : undefined;
    if (uploads.length > 0) mayChange(before);
    const pictures = await ingestPictures(this.pictures, userId, uploads, before?.photos);
    if (pictures.length > 0) annotation = await this.moderateAgain(input);
    return this.annotations.updateAnnotation(id, userId, annotation, pictures, mayChange);
  }

  /** Words may have been banned while pictures waited. @throws ApiError 1004 for a rejected word */
  private async moderateAgain(input: AnnotationWrite): Promise<NewAnnotation> {
    await moderate(AnnotationWrite, input, this.moderator);
    return wanted(input);
  }

  /** @throws ApiError 1001 for an unknown annotation, 6002 for another user's */
  deleteAnnotation(userId: number, id: number): Promise<void> {
    return this.annotations.deleteAnnotation(id, userId, authorOnly(userId));
  }
}
