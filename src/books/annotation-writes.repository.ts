import { Injectable } from '@nestjs/common';
import { type ModerationFlag } from '../api/writes/moderation';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { attachPictures, type NumberedPicture } from '../images/numbered-pictures';
import { removeUses, setPrivate } from '../images/pictures.repository';
import {
  reviewEdit,
  enqueueForReview,
  type ModeratedContent,
} from '../moderation/moderation-queue.repository';
import { BY_ID } from './annotations.repository';
import { type AnnotationRow } from './books.rows';

const ADD = statement(
  'annotations.add',
  `INSERT INTO annotations (user_id, book_id, content, page_no, chapter, private, hidden)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id::float8 AS id`,
);

const LOCK = statement(
  'annotations.lock',
  'SELECT user_id::float8 AS user_id, private, hidden, photos FROM annotations WHERE id = $1 FOR UPDATE',
);

const STORED = statement(
  'annotations.stored',
  'SELECT user_id::float8 AS user_id, private, hidden, photos FROM annotations WHERE id = $1',
);

const CHANGE = statement(
  'annotations.change',
  `UPDATE annotations SET content = $2, page_no = $3, chapter = $4, private = $5, hidden = $6,
     updated_at = date_trunc('second', now()) WHERE id = $1`,
);

// Pictures are never removed from the row, so that the highest number stays known for unused
// pictures.
const ADD_PHOTOS = statement(
  'annotations.add_photos',
  `UPDATE annotations SET photos = photos || $2::jsonb, last_photo = greatest(last_photo, $3)
   WHERE id = $1`,
);

const REMOVE = statement('annotations.remove', 'DELETE FROM annotations WHERE id = $1');

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
export class AnnotationWritesRepository {
  constructor(private readonly database: Database) {}

  /** The stored annotation, without a lock. */
  async stored(id: number): Promise<StoredAnnotation | undefined> {
    return (await this.database.query<StoredAnnotation>(STORED, [id]))[0];
  }

  add(
    userId: number,
    bookId: number,
    wanted: NewAnnotation,
    pictures: readonly NumberedPicture[],
    hooks?: TransactionHooks,
  ): Promise<AnnotationRow> {
    return this.database.transaction(async (executor) => {
      const hidden = wanted.moderationFlag !== undefined;
      const values = [userId, bookId, ...valuesOf(wanted, hidden)];
      const [made] = await executor.query<{ id: number }>(ADD, values);
      const id = made?.id ?? 0;
      await enqueueForReview(executor, writingOf(id, userId, wanted));
      await this.show(executor, id, pictures, wanted.private || hidden);
      return this.read(executor, id, userId);
    }, hooks);
  }

  change(
    id: number,
    userId: number,
    wanted: NewAnnotation,
    pictures: readonly NumberedPicture[],
    check: OwnerCheck,
  ): Promise<AnnotationRow> {
    return this.database.transaction(async (executor) => {
      const [before] = await executor.query<StoredAnnotation>(LOCK, [id]);
      check(before);
      const wasHidden = before?.hidden === true;
      const hidden = await reviewEdit(executor, writingOf(id, userId, wanted), wasHidden);
      await executor.query(CHANGE, [id, ...valuesOf(wanted, hidden)]);
      const isHidden = wanted.private || hidden;
      if ((before?.private === true || wasHidden) !== isHidden) {
        await setPrivate(executor, 'annotation', id, isHidden);
      }
      await this.show(executor, id, pictures, isHidden);
      return this.read(executor, id, userId);
    });
  }

  remove(id: number, check: OwnerCheck): Promise<void> {
    return this.database.transaction(async (executor) => {
      check((await executor.query<StoredAnnotation>(LOCK, [id]))[0]);
      await executor.query(REMOVE, [id]);
      await removeUses(executor, 'annotation', id);
    });
  }

  /** @throws ApiError 999 for a number that another request used concurrently */
  private async show(
    executor: SqlExecutor,
    id: number,
    pictures: readonly NumberedPicture[],
    isPrivate: boolean,
  ): Promise<void> {
    if (pictures.length === 0) return;
    const photos = await attachPictures(executor, 'annotation', id, pictures, isPrivate);
    const last = Math.max(...pictures.map(({ number }) => number));
    await executor.query(ADD_PHOTOS, [id, JSON.stringify(photos), last]);
  }

  private async read(executor: SqlExecutor, id: number, userId: number): Promise<AnnotationRow> {
    const [row] = await executor.query<AnnotationRow>(BY_ID, [id, userId]);
    return row as AnnotationRow;
  }
}
