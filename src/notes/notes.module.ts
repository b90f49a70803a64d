import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { NoteQueueModule } from './note-queue.module';
import { NotePagesRepository } from './note-pages.repository';
import { NotesController } from './notes.controller';
import { NotesRepository } from './notes.repository';
import { NotesService } from './notes.service';
import { RepliesController } from './replies.controller';
import { RepliesRepository } from './replies.repository';
import { RepliesService } from './replies.service';

/** Notes: writing, reading, liking, replying (specification section 4.2). */
@Module({
  imports: [UsersModule, NoteQueueModule],
  controllers: [NotesController, RepliesController],
  providers: [
    NotesRepository,
    NotesService,
    RepliesRepository,
    RepliesService,
    NotePagesRepository,
  ],
  exports: [NotesService, RepliesService, NotePagesRepository],
})
export class NotesModule {}
