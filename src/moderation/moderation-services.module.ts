import { Global, Module } from '@nestjs/common';
import { HeldService } from './held.service';
import { WordsRepository } from './words.repository';
import { WordsService } from './words.service';

/** Banned words and held texts, for whoever administers them. Global: areas say what to release. */
@Global()
@Module({
  providers: [WordsRepository, WordsService, HeldService],
  exports: [WordsRepository, WordsService, HeldService],
})
export class ModerationServicesModule {}
