import { type SqlExecutor, type Statement } from '../database/database';
import { attachPictures, type NumberedPicture } from '../images/numbered-pictures';
import { removeUses, setPrivate } from '../images/pictures.repository';
import { enqueueForReview, reviewEdit, type ModeratedContent } from './moderation-queue.repository';

/** Statements of a table of texts with pictures. */
interface IllustratedTable {
  readonly kind: 'annotation' | 'note';
  /** Adds the pictures `$2`, URLs by number, to the row with the id `$1`. */
  readonly addPhotos: Statement;
  /** Deletes the row with the id `$1`. */
  readonly remove: Statement;
}

/** The visibility of a stored text. */
interface Visibility {
  /** Whether moderation hides it. */
  readonly hidden: boolean;
  /** Whether its author alone can see it, for any reason. */
  readonly authorOnly: boolean;
}

/**
 * Steps that writes of annotations and notes share: review by moderators, visibility of the
 * pictures, and the pictures of the row. Each runs in the transaction of the write.
 */
export class IllustratedTexts {
  constructor(private readonly table: IllustratedTable) {}

  /**
   * Completes a new text whose row is inserted.
   * @param authorOnly whether its author alone can see it
   * @throws ApiError 999 for a picture number that another request used concurrently
   */
  async insertText(
    executor: SqlExecutor,
    content: ModeratedContent,
    pictures: readonly NumberedPicture[],
    authorOnly: boolean,
  ): Promise<void> {
    await enqueueForReview(executor, content);
    await this.attach(executor, content.id, pictures, authorOnly);
  }

  /**
   * Changes a text whose row is locked.
   * @param write updates the row, given whether moderation hides the text, and returns whether its
   *   author alone can see it
   * @throws ApiError like {@link insertText}
   */
  async updateText(
    executor: SqlExecutor,
    content: ModeratedContent,
    before: Visibility,
    pictures: readonly NumberedPicture[],
    write: (hidden: boolean) => Promise<boolean>,
  ): Promise<void> {
    const authorOnly = await write(await reviewEdit(executor, content, before.hidden));
    if (before.authorOnly !== authorOnly) {
      await setPrivate(executor, this.table.kind, content.id, authorOnly);
    }
    await this.attach(executor, content.id, pictures, authorOnly);
  }

  /**
   * Deletes a text whose row is locked.
   * @param userId its author, in whose storage its pictures count until they are deleted (D123)
   */
  async deleteText(executor: SqlExecutor, id: number, userId: number): Promise<void> {
    await executor.query(this.table.remove, [id]);
    await removeUses(executor, this.table.kind, id, userId);
  }

  private async attach(
    executor: SqlExecutor,
    id: number,
    pictures: readonly NumberedPicture[],
    isPrivate: boolean,
  ): Promise<void> {
    if (pictures.length === 0) return;
    const photos = await attachPictures(executor, this.table.kind, id, pictures, isPrivate);
    await executor.query(this.table.addPhotos, [id, JSON.stringify(photos)]);
  }
}
