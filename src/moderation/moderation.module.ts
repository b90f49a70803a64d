import { Global, Module } from '@nestjs/common';
import { WriteGate } from '../api/writes/captcha';
import { Moderator } from '../api/writes/moderation';
import { CountersModule } from '../limits/counters.module';
import { CaptchaController } from './captcha.controller';
import { CaptchaService } from './captcha.service';
import { CaptchaSweeper } from './captcha.sweeper';
import { ModerationServicesModule } from './moderation-services.module';
import { WordList } from './word-list';

/**
 * Checks the content and frequency of writes. Global, because it applies to the writes of every
 * area.
 */
@Global()
@Module({
  imports: [ModerationServicesModule, CountersModule],
  controllers: [CaptchaController],
  providers: [
    WordList,
    { provide: Moderator, useExisting: WordList },
    CaptchaService,
    CaptchaSweeper,
    { provide: WriteGate, useExisting: CaptchaService },
  ],
  exports: [Moderator, WriteGate, CaptchaService],
})
export class ModerationModule {}
