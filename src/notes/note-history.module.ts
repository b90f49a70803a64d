import { Module } from '@nestjs/common';
import { NoteHistoryRepository } from './note-history.repository';

/** Previous versions of notes, for the command line. */
@Module({ providers: [NoteHistoryRepository] })
export class NoteHistoryModule {}
