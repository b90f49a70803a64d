import { Global, Module } from '@nestjs/common';
import { WriteGate } from '../api/writes/captcha';
import { Moderator } from '../api/writes/moderation';
import { CountersModule } from '../limits/counters.module';
import { CaptchaController } from './captcha.controller';
import { CaptchaService } from './captcha.service';
import { CaptchaSweeper } from './captcha.sweeper';
import { ModerationServicesModule } from './moderation-services.module';
import { WordList } from './word-list';

/** What users may write, and how often. Global, as it is about the writes of every area. */
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
