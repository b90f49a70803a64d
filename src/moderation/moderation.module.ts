import { Global, Module } from '@nestjs/common';
import { WriteGate } from '../api/captcha';
import { Moderator } from '../api/moderation';
import { CountersModule } from '../limits/counters.module';
import { CaptchaController } from './captcha.controller';
import { CaptchaService, CaptchaSweeper } from './captcha.service';
import { HeldService } from './held.service';
import { WordList } from './word-list';
import { WordsRepository } from './words.repository';
import { WordsService } from './words.service';

/** What users may write, and how often. Global, as it is about the writes of every area. */
@Global()
@Module({
  imports: [CountersModule],
  controllers: [CaptchaController],
  providers: [
    WordsRepository,
    WordsService,
    WordList,
    HeldService,
    { provide: Moderator, useExisting: WordList },
    CaptchaService,
    CaptchaSweeper,
    { provide: WriteGate, useExisting: CaptchaService },
  ],
  exports: [Moderator, WriteGate, WordsService, HeldService],
})
export class ModerationModule {}
