import { Controller, Delete, Get, Post } from '@nestjs/common';
import { type CallingUser } from '../api/access';
import { BodyInput } from '../api/input';
import { type Page, type PageQuery } from '../api/page';
import {
  IdParam,
  Login,
  Paging,
  Responds,
  RespondsJson,
  RespondsList,
  Scopes,
  Summary,
  UserCalling,
} from '../api/route';
import { NOTHING } from './notes.controller';
import { ReplyWrite } from './notes.input';
import { Reply } from './notes.resources';
import { type ReplyRow } from './notes.rows';
import { RepliesService } from './replies.service';

@Controller('v2/note')
export class RepliesController {
  constructor(private readonly replies: RepliesService) {}

  @Get(':id/comments')
  @Scopes('community_basic_note')
  @Login()
  @RespondsList('comments', Reply)
  @Summary('Replies to a note, oldest first')
  ofNote(
    @IdParam('id') id: number,
    @Paging() page: PageQuery,
    @UserCalling() user: CallingUser,
  ): Promise<Page<ReplyRow>> {
    return this.replies.ofNote(user.id, id, page);
  }

  @Post(':id/comments')
  @Scopes('community_basic_note')
  @Login()
  @Responds(Reply, { status: 201 })
  @Summary('Reply to a note')
  add(
    @IdParam('id') id: number,
    @BodyInput(ReplyWrite) input: ReplyWrite,
    @UserCalling() user: CallingUser,
  ): Promise<ReplyRow> {
    return this.replies.add(user.id, id, input);
  }

  @Get(':id/comment/:reply')
  @Scopes('community_basic_note')
  @Login()
  @Responds(Reply)
  @Summary('A reply to a note')
  byId(
    @IdParam('id') id: number,
    @IdParam('reply') reply: number,
    @UserCalling() user: CallingUser,
  ): Promise<ReplyRow> {
    return this.replies.byId(user.id, id, reply);
  }

  @Delete(':id/comment/:reply')
  @Scopes('community_basic_note')
  @Login()
  @RespondsJson(NOTHING)
  @Summary('Delete a reply of your own, or to a note of your own')
  remove(
    @IdParam('id') id: number,
    @IdParam('reply') reply: number,
    @UserCalling() user: CallingUser,
  ): Promise<Record<string, never>> {
    return this.replies.remove(user.id, id, reply);
  }
}
