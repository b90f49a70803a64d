import { Module } from '@nestjs/common';
import { NoteQueue } from './note-queue';

/** How held notes and replies are released; also for the command line. */
@Module({ providers: [NoteQueue] })
export class NoteQueueModule {}
