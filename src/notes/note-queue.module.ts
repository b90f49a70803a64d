import { Module } from '@nestjs/common';
import { NoteQueue } from './note-queue';

/** Releases notes and replies from the moderation queue; also for the command line. */
@Module({ providers: [NoteQueue] })
export class NoteQueueModule {}
