import { Global, Module } from '@nestjs/common';
import { RequestLimiter } from '../api/limits';
import { CountersModule } from './counters.module';
import { LimitValues } from './limit-values';
import { LimiterService } from './limiter.service';
import { RateLimitController } from './rate-limit.controller';
import { UsageService } from './usage.service';

/** Limits of calls. Global, as the limit guard stands before every controller. */
@Global()
@Module({
  imports: [CountersModule],
  controllers: [RateLimitController],
  providers: [
    LimitValues,
    UsageService,
    LimiterService,
    { provide: RequestLimiter, useExisting: LimiterService },
  ],
  exports: [RequestLimiter, UsageService, LimitValues],
})
export class LimitsModule {}
