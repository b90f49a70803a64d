import { Module } from '@nestjs/common';
import { SharedCounters } from './shared-counters';

/** Counters, for whatever has to be counted for all processes together. */
@Module({ providers: [SharedCounters], exports: [SharedCounters] })
export class CountersModule {}
