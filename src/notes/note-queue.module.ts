import { Module } from '@nestjs/common';
import { HeldNotes } from './note-queue';

/** How held notes and replies are released; also for the command line. */
@Module({ providers: [HeldNotes] })
export class HeldNotesModule {}
