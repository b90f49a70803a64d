import { Global, Module } from '@nestjs/common';
import { Moderator } from '../api/moderation';
import { HeldService } from './held.service';
import { WordList } from './word-list';
import { WordsRepository } from './words.repository';
import { WordsService } from './words.service';

/** What users may write, and how often. Global, as it is about the writes of every area. */
@Global()
@Module({
  providers: [
    WordsRepository,
    WordsService,
    WordList,
    HeldService,
    { provide: Moderator, useExisting: WordList },
  ],
  exports: [Moderator, WordsService, HeldService],
})
export class ModerationModule {}
