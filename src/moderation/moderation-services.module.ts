import { Global, Module } from '@nestjs/common';
import { ModerationQueueService } from './moderation-queue.service';
import { ReportsRepository } from './reports.repository';
import { WordsRepository } from './words.repository';
import { WordsService } from './words.service';

/**
 * Administration of banned words, reports and the moderation queue. Global, because each area
 * registers how its texts are released.
 */
@Global()
@Module({
  providers: [WordsRepository, WordsService, ModerationQueueService, ReportsRepository],
  exports: [WordsRepository, WordsService, ModerationQueueService, ReportsRepository],
})
export class ModerationServicesModule {}
