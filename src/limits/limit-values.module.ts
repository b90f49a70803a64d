import { Module } from '@nestjs/common';
import { LimitValues } from './limit-values';
import { LimitsService } from './limits.service';

/** The limits in force, and changing them. */
@Module({ providers: [LimitValues, LimitsService], exports: [LimitValues, LimitsService] })
export class LimitValuesModule {}
