import { Global, Module } from '@nestjs/common';
import { ModerationQueueService } from './moderation-queue.service';
import { WordsRepository } from './words.repository';
import { WordsService } from './words.service';

/** Banned words and held texts, for whoever administers them. Global: areas say what to release. */
@Global()
@Module({
  providers: [WordsRepository, WordsService, ModerationQueueService],
  exports: [WordsRepository, WordsService, ModerationQueueService],
})
export class ModerationServicesModule {}
