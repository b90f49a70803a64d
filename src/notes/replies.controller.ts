import { Controller, Delete, Get, Post } from '@nestjs/common';
import { type CallingUser } from '../api/access/access';
import { BodyInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Errors,
  IdParam,
  RequireUser,
  Paging,
  Responds,
  RespondsJson,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
  CurrentUser,
} from '../api/routing/route';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { NOTHING } from './notes.controller';
import { ReplyWrite } from './notes.input';
import { Reply } from './notes.resources';
import { type ReplyRow } from './notes.rows';
import { RepliesService } from './replies.service';

@Controller('v2/note')
export class RepliesController {
  constructor(private readonly replies: RepliesService) {}

  @Get(':id/comments')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsList('comments', Reply)
  @Errors('noteTargetNotFound')
  @OperationId('listNoteComments')
  @Summary('Replies to a note, oldest first')
  listReplies(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @CurrentUser() user: CallingUser,
  ): Promise<Page<ReplyRow>> {
    return this.replies.listReplies(user.id, id, page);
  }

  @Post(':id/comments')
  @RequireScope('community_basic_note')
  @RequireUser()
  @Responds(Reply, { status: 201 })
  @Errors('noteTargetNotFound')
  @OperationId('createNoteComment')
  @Summary('Reply to a note')
  createReply(
    @IdParam('id') id: number,
    @BodyInput(ReplyWrite) input: ReplyWrite,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<ReplyRow> {
    return this.replies.createReply(user.id, id, input, hooks);
  }

  @Get(':id/comment/:reply')
  @RequireScope('community_basic_note')
  @RequireUser()
  @Responds(Reply)
  @Errors('noteTargetNotFound')
  @OperationId('getNoteComment')
  @Summary('A reply to a note')
  getReply(
    @IdParam('id') id: number,
    @IdParam('reply') reply: number,
    @CurrentUser() user: CallingUser,
  ): Promise<ReplyRow> {
    return this.replies.getReply(user.id, id, reply);
  }

  @Delete(':id/comment/:reply')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsJson(NOTHING)
  @Errors('noteTargetNotFound')
  @OperationId('deleteNoteComment')
  @Summary('Delete a reply of your own, or to a note of your own')
  deleteReply(
    @IdParam('id') id: number,
    @IdParam('reply') reply: number,
    @CurrentUser() user: CallingUser,
  ): Promise<Record<string, never>> {
    return this.replies.deleteReply(user.id, id, reply);
  }
}
