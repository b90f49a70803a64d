import { Global, Module } from '@nestjs/common';
import { ModerationQueueService } from './moderation-queue.service';
import { WordsRepository } from './words.repository';
import { WordsService } from './words.service';

/**
 * Administration of banned words and the moderation queue. Global, because each area registers how
 * its texts are released.
 */
@Global()
@Module({
  providers: [WordsRepository, WordsService, ModerationQueueService],
  exports: [WordsRepository, WordsService, ModerationQueueService],
})
export class ModerationServicesModule {}
