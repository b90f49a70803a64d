import { Global, Module } from '@nestjs/common';
import { RequestLimiter } from '../api/limits/limits';
import { CountersModule } from './counters.module';
import { DeprecatedUsageService } from './deprecated-usage.service';
import { LimitValuesModule } from './limit-values.module';
import { LimiterService } from './limiter.service';
import { RateLimitController } from './rate-limit.controller';
import { UsageService } from './usage.service';
import { DeprecatedUsageSweeper, UsageSweeper } from './usage.sweeper';

/** Rate limits. Global, because the limit guard runs before every controller. */
@Global()
@Module({
  imports: [CountersModule, LimitValuesModule],
  controllers: [RateLimitController],
  providers: [
    UsageService,
    DeprecatedUsageService,
    UsageSweeper,
    DeprecatedUsageSweeper,
    LimiterService,
    { provide: RequestLimiter, useExisting: LimiterService },
  ],
  exports: [RequestLimiter, UsageService, DeprecatedUsageService, LimitValuesModule],
})
export class LimitsModule {}
