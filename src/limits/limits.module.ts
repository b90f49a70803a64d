import { Global, Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { RequestLimiter } from '../api/limits/limits';
import { CountersModule } from './counters.module';
import { DeprecatedUsageService } from './deprecated-usage.service';
import { LimitValuesModule } from './limit-values.module';
import { LimiterService } from './limiter.service';
import { RateLimitController } from './rate-limit.controller';
import { RequestReportsRepository } from './request-reports.repository';
import { RequestStatisticsService } from './request-statistics.service';
import { UsageService } from './usage.service';
import {
  ApplicationFailuresSweeper,
  ApplicationRequestsSweeper,
  DeprecatedUsageSweeper,
  RequestStatisticsSweeper,
  UsageSweeper,
} from './usage.sweeper';

/** Rate limits. Global, because the limit guard runs before every controller. */
@Global()
@Module({
  imports: [ApiModule, CountersModule, LimitValuesModule],
  controllers: [RateLimitController],
  providers: [
    UsageService,
    DeprecatedUsageService,
    UsageSweeper,
    DeprecatedUsageSweeper,
    RequestStatisticsService,
    RequestReportsRepository,
    RequestStatisticsSweeper,
    ApplicationRequestsSweeper,
    ApplicationFailuresSweeper,
    LimiterService,
    { provide: RequestLimiter, useExisting: LimiterService },
  ],
  exports: [
    RequestLimiter,
    UsageService,
    DeprecatedUsageService,
    RequestReportsRepository,
    LimitValuesModule,
  ],
})
export class LimitsModule {}
