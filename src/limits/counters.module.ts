import { Module } from '@nestjs/common';
import { SharedCounters } from './shared-counters';

/** Provides counters that all processes share. */
@Module({ providers: [SharedCounters], exports: [SharedCounters] })
export class CountersModule {}
