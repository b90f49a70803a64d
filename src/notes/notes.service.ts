import { Injectable } from '@nestjs/common';
import { ApiError, malformed } from '../api/errors/error-codes';
import { Moderator, UncheckedText, type CheckOptions } from '../api/writes/moderation';
import { type Page, type PageQuery } from '../api/resources/page';
import { MAX_CONTENT } from '../api/input/text-limits';
import { type PictureUpload } from '../api/body/uploads';
import { type TransactionHooks } from '../database/database';
import {
  validatePictureNumbers,
  ingestNumbered,
  type NumberedPicture,
} from '../images/numbered-pictures';
import { PicturesService } from '../images/pictures.service';
import {
  isLongerThan,
  parseNote,
  stylesIn,
  withPictures,
  writeNote,
  type NoteNode,
} from '../text/note-markup';
import { lastDecision, flagOf } from './note-moderation';
import { namedPictures, type NotePicture } from './note-pictures';
import {
  type FormatInput,
  type NoteWrite,
  type PicturesWrite,
  type StyleReader,
} from './notes.input';
import {
  NotesRepository,
  type LockedNoteGuard,
  type NewNote,
  type NotesOfUser,
} from './notes.repository';
import { type Format, type NoteRow, type RenderableNote, type StoredNote } from './notes.rows';

/** Pictures of a request with their numbers, and how the note shows them. */
interface NoteUploads {
  readonly pictures: readonly PictureUpload[];
  readonly styles: StyleReader;
}

/** The error for a note or a part of it that does not exist (D29). */
export const notFound = (what = 'note'): ApiError =>
  new ApiError('noteTargetNotFound', { detail: `${what} not found` });

/** The error for an operation the caller may not perform (D29, D30). */
export const forbidden = (detail: string): ApiError => new ApiError('needPermission', { detail });

/** Requires a visible note. @throws ApiError 1006 when not found, 1000 when not visible */
export const visible: LockedNoteGuard = (stored) => {
  if (!stored) throw notFound();
  if (!stored.visible) throw forbidden('the caller is not allowed to see this note');
  return stored;
};

/** Requires the author. @throws ApiError 1006 when not found, 1000 for others */
const authorOnly =
  (userId: number): LockedNoteGuard =>
  (stored) => {
    if (!stored) throw notFound();
    if (stored.user_id !== userId) throw forbidden('the note belongs to another user');
    return stored;
  };

/**
 * A note to render. It is parsed lazily: excerpts do not need it, and the renderer of long lists can
 * yield between elements.
 */
export const inFormat = (row: NoteRow, format: Format = 'text'): RenderableNote => {
  let nodes: readonly NoteNode[] | undefined;
  return {
    ...row,
    format,
    get nodes() {
      return (nodes ??= parseNote(row.content));
    },
  };
};

/** Maximum length of a note's text form in UTF-16 units: twice the longest content (D41). */
const MAX_STORED_CONTENT = 4 * MAX_CONTENT;

/**
 * The text form of submitted content: pseudo-tags get the styles of their pictures, and new
 * pictures without a tag are appended (D31).
 */
function toContent(content: string, pictures: readonly NotePicture[], before = ''): string {
  const added = new Map(pictures.map(({ number, style }) => [number, style]));
  const styles = new Map([...stylesIn(before), ...added]);
  const nodes = withPictures(parseNote(content, styles), added);
  // Each tag of a picture repeats its caption, so a short text could become a very long one.
  if (isLongerThan(MAX_STORED_CONTENT, nodes)) {
    throw malformed('the content is too long, including the layouts and captions of its pictures');
  }
  return writeNote(nodes);
}

/** The numbers of the pictures of a note after some are added. */
const pictureNumbersAfter = (
  added: readonly NotePicture[],
  before?: Pick<StoredNote, 'photos'>,
): ReadonlySet<number> =>
  new Set([...Object.keys(before?.photos ?? {}).map(Number), ...added.map(({ number }) => number)]);

/** Maximum number of attempts to write a note that changes meanwhile. */
const MAX_ATTEMPTS = 3;

/** A change of a note. */
interface CheckedChange {
  /** Checks the new state that follows from the stored one. */
  readonly checkNote: (before: StoredNote, options?: CheckOptions) => Promise<NewNote>;
  readonly pictures: readonly NumberedPicture[];
  readonly hooks?: TransactionHooks | undefined;
}

@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly pictures: PicturesService,
    private readonly moderator: Moderator,
  ) {}

  /** @throws ApiError 1006 when not found, 1000 when not visible (D29) */
  async getNote(id: number, { format }: FormatInput, userId: number): Promise<RenderableNote> {
    const row = await this.notes.findNoteById(id, userId);
    if (!row) throw notFound();
    if (!row.visible) throw forbidden('the caller is not allowed to see this note');
    return inFormat(row, format);
  }

  /** @throws ApiError 1006 for an unknown user (D29) */
  async listUserNotes(
    authorId: number,
    { format }: FormatInput,
    page: PageQuery,
    userId: number,
  ): Promise<Page<RenderableNote>> {
    return this.toList(await this.notes.listUserNotes(authorId, userId, page, format), format);
  }

  /**
   * Notes that a user likes, as far as the reader may see them (D121).
   * @throws ApiError 1006 for an unknown user
   */
  async likedBy(
    name: string,
    { format }: FormatInput,
    page: PageQuery,
    userId: number,
  ): Promise<Page<RenderableNote>> {
    return this.toList(await this.notes.likedBy(name, userId, page), format);
  }

  private toList({ author, ...found }: NotesOfUser, format: Format): Page<RenderableNote> {
    if (!author) throw notFound('user');
    return {
      ...found,
      items: found.items.map((row) => inFormat(row, format)),
      extra: { user: author },
    };
  }

  /**
   * @throws ApiError 999 for pictures against D31; 1004 for a banned word, 1008 or 1009 for an
   *   invalid picture
   */
  async createNote(
    userId: number,
    input: NoteWrite,
    uploads: NoteUploads,
    hooks?: TransactionHooks,
  ): Promise<RenderableNote> {
    const named = namedPictures(input.pids, uploads.pictures, uploads.styles);
    const flag = await flagOf(this.moderator, input.moderationFlag, named);
    const { title, privacy } = input;
    const content = toContent(input.content, named);
    const note = { title, content, privacy, can_reply: input.can_reply };
    const check = () => lastDecision(this.moderator, note, pictureNumbersAfter(named), flag);
    let wanted = await check();
    const pictures = await ingestNumbered(this.pictures, userId, named);
    // Words may have been banned while the pictures waited.
    if (pictures.length > 0) wanted = await check();
    return inFormat(await this.notes.insertNote(userId, wanted, pictures, hooks));
  }

  /** @throws ApiError like {@link createNote}; 1006 when not found, 1000 for another user's */
  async updateNote(
    userId: number,
    id: number,
    input: NoteWrite,
    uploads: NoteUploads,
  ): Promise<RenderableNote> {
    const named = namedPictures(input.pids, uploads.pictures, uploads.styles);
    const flag = await flagOf(this.moderator, input.moderationFlag, named);
    const { title, privacy, can_reply } = input;
    const checkNote = (before: StoredNote, options?: CheckOptions) => {
      const content = toContent(input.content, named, before.content);
      const note = { title, content, privacy, can_reply };
      return lastDecision(this.moderator, note, pictureNumbersAfter(named, before), flag, options);
    };
    const pictures = await this.checkAndIngest(userId, id, named, checkNote);
    return this.write(userId, id, { checkNote, pictures });
  }

  /** @throws ApiError like {@link updateNote} */
  async addPictures(
    userId: number,
    id: number,
    { pids, content, moderationFlag }: PicturesWrite,
    uploads: NoteUploads,
    hooks?: TransactionHooks,
  ): Promise<RenderableNote> {
    const named = namedPictures(pids, uploads.pictures, uploads.styles);
    if (named.length === 0) throw new ApiError('missingArgs', { detail: 'pids names no picture' });
    const flag = await flagOf(this.moderator, moderationFlag, named);
    const checkNote = (before: StoredNote, options?: CheckOptions) => {
      const fullContent = toContent(content ?? before.content, named, before.content);
      const note = { ...before, content: fullContent };
      return lastDecision(this.moderator, note, pictureNumbersAfter(named, before), flag, options);
    };
    const pictures = await this.checkAndIngest(userId, id, named, checkNote);
    return this.write(userId, id, { checkNote, pictures, hooks });
  }

  /**
   * Writes the new state of a note. If the words of a long text are not known yet, it is checked
   * before another transaction, which would hold locks meanwhile.
   * @throws ApiError 999 with 503 when it changes again and again
   */
  private async write(
    userId: number,
    id: number,
    { checkNote, pictures, hooks }: CheckedChange,
  ): Promise<RenderableNote> {
    const guard = authorOnly(userId);
    const inTransaction = true;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const wanted = (before: StoredNote) => checkNote(before, { inTransaction });
        return inFormat(await this.notes.updateNote(id, userId, guard, wanted, pictures, hooks));
      } catch (error) {
        if (!(error instanceof UncheckedText) || attempt === MAX_ATTEMPTS) throw error;
      }
      await checkNote(guard(await this.notes.stored(id, userId)));
    }
  }

  /**
   * Rejects early, so that no picture is stored for a rejected request; the write checks again. Its
   * transaction finds the result of the search for banned words in a cache.
   * @param checkNote checks the new state of the note
   */
  private async checkAndIngest(
    userId: number,
    id: number,
    named: readonly NotePicture[],
    checkNote: (before: StoredNote) => Promise<unknown>,
  ): Promise<NumberedPicture[]> {
    if (named.length === 0) return [];
    const before = authorOnly(userId)(await this.notes.stored(id, userId));
    await checkNote(before);
    validatePictureNumbers(
      named.map(({ number }) => number),
      before.photos,
    );
    return ingestNumbered(this.pictures, userId, named);
  }

  /** @throws ApiError 1006 when not found, 1000 for another user's */
  async deleteNote(userId: number, id: number): Promise<Record<string, never>> {
    await this.notes.deleteNote(id, userId, authorOnly(userId));
    return {};
  }

  /** @throws ApiError 1006 when not found, 1000 when not visible */
  async setLiked(userId: number, id: number, liked: boolean): Promise<Record<string, never>> {
    visible(await this.notes.setLiked(id, userId, liked));
    return {};
  }
}
