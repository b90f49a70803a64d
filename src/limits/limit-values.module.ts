import { Module } from '@nestjs/common';
import { LimitValues } from './limit-values';
import { LimitsService } from './limits.service';

/** Provides the current limits, and the service that changes them. */
@Module({ providers: [LimitValues, LimitsService], exports: [LimitValues, LimitsService] })
export class LimitValuesModule {}
