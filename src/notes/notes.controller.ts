import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { type CallingUser } from '../api/access/access';
import { BodyInput, QueryInput } from '../api/input/input';
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
  UploadedPictures,
  Uploads,
  CurrentUser,
  Extension,
  NameParam,
} from '../api/routing/route';
import { type PictureUpload } from '../api/body/uploads';
import { described, ref } from '../api/resources/resource';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { SimpleUser } from '../users/users.resources';
import { NOTE_PICTURES } from './note-pictures';
import {
  FormatInput,
  NoteWrite,
  PicturesWrite,
  PictureStyles,
  type StyleReader,
} from './notes.input';
import { Note } from './notes.resources';
import { type RenderableNote } from './notes.rows';
import { NotesService } from './notes.service';

/** An empty response body (D30). */
export const NOTHING = { type: 'object', additionalProperties: false };

type Nothing = Record<string, never>;

const AUTHOR = described(ref(SimpleUser), 'The author of the notes.');
const LIKER = described(ref(SimpleUser), 'The user who likes the notes.');

@Controller('v2')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Post('notes')
  @RequireScope('community_basic_note')
  @RequireUser()
  @Uploads(NOTE_PICTURES)
  @Responds(Note, { status: 201 })
  @OperationId('createNote')
  @Summary('Write a note')
  createNote(
    @BodyInput(NoteWrite) input: NoteWrite,
    @UploadedPictures() pictures: readonly PictureUpload[],
    @PictureStyles() styles: StyleReader,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<RenderableNote> {
    return this.notes.createNote(user.id, input, { pictures, styles }, hooks);
  }

  @Put('note/:id')
  @RequireScope('community_basic_note')
  @RequireUser()
  @Uploads(NOTE_PICTURES)
  @Responds(Note, { status: 202 })
  @Errors('noteTargetNotFound')
  @OperationId('updateNote')
  @Summary('Change a note of your own')
  updateNote(
    @IdParam('id') id: number,
    @BodyInput(NoteWrite) input: NoteWrite,
    @UploadedPictures() pictures: readonly PictureUpload[],
    @PictureStyles() styles: StyleReader,
    @CurrentUser() user: CallingUser,
  ): Promise<RenderableNote> {
    return this.notes.updateNote(user.id, id, input, { pictures, styles });
  }

  @Post('note/:id')
  @RequireScope('community_basic_note')
  @RequireUser()
  @Uploads(NOTE_PICTURES)
  @Responds(Note, { status: 202 })
  @Errors('noteTargetNotFound')
  @OperationId('addNotePictures')
  @Summary('Add pictures to a note of your own')
  addPictures(
    @IdParam('id') id: number,
    @BodyInput(PicturesWrite) input: PicturesWrite,
    @UploadedPictures() pictures: readonly PictureUpload[],
    @PictureStyles() styles: StyleReader,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<RenderableNote> {
    return this.notes.addPictures(user.id, id, input, { pictures, styles }, hooks);
  }

  @Delete('note/:id')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsJson(NOTHING)
  @Errors('noteTargetNotFound')
  @OperationId('deleteNote')
  @Summary('Delete a note of your own')
  deleteNote(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<Nothing> {
    return this.notes.deleteNote(user.id, id);
  }

  @Get('note/:id')
  @RequireScope('community_basic_note')
  @RequireUser()
  @Responds(Note)
  @Errors('noteTargetNotFound')
  @OperationId('getNote')
  @Summary('A note')
  getNote(
    @IdParam('id') id: number,
    @QueryInput(FormatInput) input: FormatInput,
    @CurrentUser() user: CallingUser,
  ): Promise<RenderableNote> {
    return this.notes.getNote(id, input, user.id);
  }

  @Get('note/user_created/:id')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsList('notes', Note, { after: { user: AUTHOR }, longTexts: true })
  @Errors('noteTargetNotFound')
  @OperationId('listUserNotes')
  @Summary("A user's notes, newest first")
  listUserNotes(
    @IdParam('id') id: number,
    @QueryInput(FormatInput) input: FormatInput,
    @Paging() page: PageQuery,
    @CurrentUser() user: CallingUser,
  ): Promise<Page<RenderableNote>> {
    return this.notes.listUserNotes(id, input, page, user.id);
  }

  @Get('note/user_liked/:name')
  @Errors('noteTargetNotFound')
  @OperationId('listLikedNotes')
  @Extension()
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsList('notes', Note, { after: { user: LIKER }, longTexts: true })
  @Summary('Notes that a user likes, latest like first')
  likedBy(
    @NameParam('name') name: string,
    @QueryInput(FormatInput) input: FormatInput,
    @Paging() page: PageQuery,
    @CurrentUser() user: CallingUser,
  ): Promise<Page<RenderableNote>> {
    return this.notes.likedBy(name, input, page, user.id);
  }

  @Post('note/:id/like')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsJson(NOTHING)
  @Errors('noteTargetNotFound')
  @OperationId('likeNote')
  @Summary('Like a note')
  like(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<Nothing> {
    return this.notes.setLiked(user.id, id, true);
  }

  @Delete('note/:id/like')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsJson(NOTHING)
  @Errors('noteTargetNotFound')
  @OperationId('unlikeNote')
  @Summary('Like a note no longer')
  unlike(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<Nothing> {
    return this.notes.setLiked(user.id, id, false);
  }
}
