import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { type ModerationFlag } from '../api/writes/moderation';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { toPage, type PageRow } from '../database/page-of';
import { type NumberedPicture } from '../images/numbered-pictures';
import { IllustratedTexts } from '../moderation/illustrated-texts';
import { type ModeratedContent } from '../moderation/moderation-queue.repository';
import { isVisibleSql } from '../moderation/visibility.sql';
import {
  ANNOTATION_WITH_BOOK,
  bookAnnotations,
  userAnnotations,
  type AnnotationFormat,
  type AnnotationsQuery,
} from './annotation-lists.sql';
import { type AnnotationRow } from './books.rows';
import { BOOK_TABLES, KEPT_BOOK, toPageOfBook, type PageOfBook } from './books.sql';

/** An annotation if it is visible to the viewer. */
const BY_ID = statement(
  'annotations.by_id',
  `SELECT ${ANNOTATION_WITH_BOOK} FROM annotations n JOIN users u ON u.id = n.user_id, ${BOOK_TABLES}
   WHERE b.id = n.book_id AND n.id = $1 AND ${isVisibleSql('n', '$2')}`,
);

const ADD = statement(
  'annotations.add',
  `WITH k AS (${KEPT_BOOK})
   INSERT INTO annotations (user_id, book_id, content, page_no, chapter, private, hidden)
   SELECT $1::bigint, k.id, $3, $4::integer, $5, $6::boolean, $7::boolean FROM k RETURNING id::float8 AS id`,
);

const STORED = statement(
  'annotations.stored',
  'SELECT user_id::float8 AS user_id, private, hidden, photos FROM annotations WHERE id = $1',
);

const LOCK = statement('annotations.lock', `${STORED.text} FOR UPDATE`);

const CHANGE = statement(
  'annotations.change',
  `UPDATE annotations SET content = $2, page_no = $3, chapter = $4, private = $5, hidden = $6,
     updated_at = date_trunc('second', now()) WHERE id = $1`,
);

// Pictures are never removed from the row, so that the highest number stays known for unused
// pictures.
const ADD_PHOTOS = statement(
  'annotations.add_photos',
  `UPDATE annotations SET photos = photos || $2::jsonb, last_photo = greatest(last_photo,
     (SELECT max(number::integer) FROM jsonb_object_keys($2::jsonb) AS k(number)))
   WHERE id = $1`,
);

const TEXTS = new IllustratedTexts({
  kind: 'annotation',
  addPhotos: ADD_PHOTOS,
  remove: statement('annotations.remove', 'DELETE FROM annotations WHERE id = $1'),
});

/** The new state of an annotation. */
export interface NewAnnotation {
  readonly content: string;
  /** 0 when only a chapter is specified (D24). */
  readonly pageNo: number;
  readonly chapter: string;
  readonly private: boolean;
  readonly moderationFlag: ModerationFlag | undefined;
}

/** The owner and content of a stored annotation. */
export interface StoredAnnotation {
  readonly user_id: number;
  readonly private: boolean;
  readonly hidden: boolean;
  readonly photos: Readonly<Record<string, string>>;
}

/** Checks a stored annotation or its absence; throws to reject the write. */
export type OwnerCheck = (stored: StoredAnnotation | undefined) => void;

const writingOf = (id: number, userId: number, wanted: NewAnnotation): ModeratedContent => ({
  kind: 'annotation',
  id,
  userId,
  moderationFlag: wanted.moderationFlag,
  text: [wanted.chapter, wanted.content].join('\n'),
});

const valuesOf = (wanted: NewAnnotation, hidden: boolean): unknown[] => [
  wanted.content,
  wanted.pageNo,
  wanted.chapter,
  wanted.private,
  hidden,
];

@Injectable()
export class AnnotationsRepository {
  constructor(private readonly database: Database) {}

  /** A user's annotations visible to `viewer`, newest first (D21). */
  async listUserAnnotations(
    userId: number,
    viewer: number | undefined,
    page: PageQuery,
    format: AnnotationFormat = 'text',
  ): Promise<Page<AnnotationRow>> {
    const { statement: list, values } = userAnnotations(userId, viewer, page, format);
    const rows = await this.database.query<AnnotationRow & PageRow>(list, values);
    return toPage(rows, page.start);
  }

  /** The public annotations of a book (specification section 4.1). */
  async listBookAnnotations(
    bookId: number,
    query: AnnotationsQuery,
    page: PageQuery,
  ): Promise<PageOfBook<AnnotationRow>> {
    const { statement: list, values } = bookAnnotations(bookId, query, page);
    const rows = await this.database.query<AnnotationRow & PageRow>(list, values);
    return toPageOfBook(rows, page.start);
  }

  /** An annotation if it is visible to `viewer` (D21). */
  async findAnnotationById(
    id: number,
    viewer: number | undefined,
  ): Promise<AnnotationRow | undefined> {
    const [row] = await this.database.query<AnnotationRow>(BY_ID, [id, viewer ?? null]);
    return row;
  }

  /** The stored annotation, without a lock. */
  async stored(id: number): Promise<StoredAnnotation | undefined> {
    return (await this.database.query<StoredAnnotation>(STORED, [id]))[0];
  }

  /** The new annotation; undefined when the book does not exist any more. */
  insertAnnotation(
    userId: number,
    bookId: number,
    wanted: NewAnnotation,
    pictures: readonly NumberedPicture[],
    hooks?: TransactionHooks,
  ): Promise<AnnotationRow | undefined> {
    return this.database.transaction(async (executor) => {
      const hidden = wanted.moderationFlag !== undefined;
      const values = [userId, bookId, ...valuesOf(wanted, hidden)];
      const [made] = await executor.query<{ id: number }>(ADD, values);
      if (!made) return undefined;
      const { id } = made;
      const content = writingOf(id, userId, wanted);
      await TEXTS.insertText(executor, content, pictures, wanted.private || hidden);
      return this.read(executor, id, userId);
    }, hooks);
  }

  updateAnnotation(
    id: number,
    userId: number,
    wanted: NewAnnotation,
    pictures: readonly NumberedPicture[],
    check: OwnerCheck,
  ): Promise<AnnotationRow> {
    return this.database.transaction(async (executor) => {
      const [before] = await executor.query<StoredAnnotation>(LOCK, [id]);
      check(before);
      const content = writingOf(id, userId, wanted);
      const hidden = before?.hidden === true;
      const visibility = { hidden, authorOnly: hidden || before?.private === true };
      await TEXTS.updateText(executor, content, visibility, pictures, async (isHidden) => {
        await executor.query(CHANGE, [id, ...valuesOf(wanted, isHidden)]);
        return wanted.private || isHidden;
      });
      return this.read(executor, id, userId);
    });
  }

  deleteAnnotation(id: number, userId: number, check: OwnerCheck): Promise<void> {
    return this.database.transaction(async (executor) => {
      check((await executor.query<StoredAnnotation>(LOCK, [id]))[0]);
      await TEXTS.deleteText(executor, id, userId);
    });
  }

  private async read(executor: SqlExecutor, id: number, userId: number): Promise<AnnotationRow> {
    const [row] = await executor.query<AnnotationRow>(BY_ID, [id, userId]);
    return row as AnnotationRow;
  }
}
