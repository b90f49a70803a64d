import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { type LockedNoteGuard } from './notes.repository';
import { forbidden, notFound, visible } from './notes.service';
import { type ReplyWrite } from './notes.input';
import { type ReplyRow } from './notes.rows';
import { type TransactionHooks } from '../database/database';
import { RepliesRepository, type FoundReply } from './replies.repository';

const isReply = (reply: FoundReply | undefined): reply is FoundReply & ReplyRow =>
  reply !== undefined && reply.id !== null;

/** @throws ApiError 1006 for an unknown note, 1000 for an invisible one (D29) */
function checkSeen(seen: boolean | null): void {
  if (seen === null) throw notFound();
  if (!seen) throw forbidden('the caller is not allowed to see this note');
}

@Injectable()
export class RepliesService {
  constructor(private readonly replies: RepliesRepository) {}

  /** @throws ApiError 1006 for an unknown note, 1000 for an invisible one */
  async listReplies(userId: number, noteId: number, page: PageQuery): Promise<Page<ReplyRow>> {
    const found = await this.replies.listReplies(noteId, userId, page);
    checkSeen(found.visible);
    return found;
  }

  /** @throws ApiError 1006 for an unknown note or reply, 1000 for an invisible note */
  async getReply(userId: number, noteId: number, id: number): Promise<ReplyRow> {
    const reply = await this.replies.findReplyById(noteId, id, userId);
    checkSeen(reply?.visible ?? null);
    if (!isReply(reply)) throw notFound('reply to this note');
    return reply;
  }

  /**
   * @throws ApiError 1006 when the note is not found, 1000 when it is not visible or has no replies
   *   enabled
   */
  createReply(
    userId: number,
    noteId: number,
    input: ReplyWrite,
    hooks?: TransactionHooks,
  ): Promise<ReplyRow> {
    const takesReplies: LockedNoteGuard = (stored) => {
      const note = visible(stored);
      if (!note.can_reply) throw forbidden('this note does not accept replies');
      return note;
    };
    return this.replies.insertReply(noteId, userId, input, takesReplies, hooks);
  }

  /**
   * Deletes the caller's reply, or a reply to the caller's note (D30).
   * @throws ApiError 1006 when the note or reply is not found, 1000 when the note is not visible or
   *   neither is the caller's
   */
  async deleteReply(userId: number, noteId: number, id: number): Promise<Record<string, never>> {
    await this.replies.deleteReply(noteId, id, userId, visible, (note, reply) => {
      if (!isReply(reply)) throw notFound('reply to this note');
      if (reply.user_id !== userId && note.user_id !== userId) {
        throw forbidden('the reply and its note belong to other users');
      }
    });
    return {};
  }
}
