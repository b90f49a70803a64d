import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings';
import { MemoryCounters, type Count, type Counted, type Counters, type Taken } from './counters';
import { RedisCounters } from './redis-counters';

/** The counters of this service: in Redis for all processes together, or in this one's memory. */
@Injectable()
export class SharedCounters implements Counters, OnModuleInit, OnModuleDestroy {
  private readonly redis: RedisCounters | undefined;
  private readonly counters: Counters;

  constructor(settings: Settings) {
    const memory = new MemoryCounters();
    this.redis = settings.REDIS_URL ? new RedisCounters(settings.REDIS_URL, memory) : undefined;
    this.counters = this.redis ?? memory;
  }

  async onModuleInit(): Promise<void> {
    await this.redis?.open();
  }

  onModuleDestroy(): void {
    this.redis?.close();
  }

  take(counters: readonly Counted[]): Promise<Taken> {
    return this.counters.take(counters);
  }

  look(counters: readonly Counted[]): Promise<Count[]> {
    return this.counters.look(counters);
  }

  clear(counters: readonly Counted[]): Promise<void> {
    return this.counters.clear(counters);
  }

  giveBack(counters: readonly Counted[]): Promise<void> {
    return this.counters.giveBack(counters);
  }
}
