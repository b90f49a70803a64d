import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings';
import { digestOfKey } from './counter-key';
import {
  MemoryCounters,
  RefusingCounters,
  type Count,
  type Counted,
  type Counters,
  type ConsumeResult,
} from './counters';
import { ParentCounters } from './parent-counters';
import { RedisCounters } from './redis-counters';
import { parentChannel } from '../workers/worker';

/** A counter that keeps its copy with the digest of its key: requests reuse their counters. */
interface KeyedCounter extends Counted {
  /** Set at its first use. A `WeakMap` would take 2 % of the time of a short request. */
  stored?: Counted;
}

/** The counter with the digest of its key. */
const storedOf = (counter: KeyedCounter): Counted =>
  (counter.stored ??= {
    key: digestOfKey(counter.key),
    limit: counter.limit,
    window: counter.window,
  });

/** A counter in which a request no longer counts. */
export interface Refund {
  readonly counter: KeyedCounter;
  /** Milliseconds until the end of the window in which it counted; by default the current window. */
  readonly left?: number;
}

/**
 * The counters of this service: in Redis for all processes, or in the memory of this process.
 * Workers count in the memory of the parent process instead of their own. The setting
 * `LIMITS_WITHOUT_REDIS` applies while Redis is unavailable.
 */
@Injectable()
export class SharedCounters implements Omit<Counters, 'refund'>, OnModuleInit, OnModuleDestroy {
  private readonly memory: MemoryCounters;
  private readonly redis: RedisCounters | undefined;
  private readonly counters: Counters;

  constructor({ REDIS_URL, LIMITS_WITHOUT_REDIS, COUNTERS_IN_MEMORY }: Settings) {
    this.memory = new MemoryCounters(COUNTERS_IN_MEMORY);
    const channel = parentChannel();
    const local = channel ? new ParentCounters(channel) : this.memory;
    const substitute = LIMITS_WITHOUT_REDIS === 'refuse' ? new RefusingCounters() : local;
    this.redis = REDIS_URL ? new RedisCounters(REDIS_URL, substitute) : undefined;
    this.counters = this.redis ?? local;
  }

  /** State of Redis: `unused` without REDIS_URL, `available` while connected, or `unavailable`. */
  get redisState(): 'unused' | 'available' | 'unavailable' {
    if (!this.redis) return 'unused';
    return this.redis.isAvailable ? 'available' : 'unavailable';
  }

  /** Number of counters in the memory of this process. */
  get inMemory(): number {
    return this.memory.size;
  }

  async onModuleInit(): Promise<void> {
    await this.redis?.open();
  }

  onModuleDestroy(): void {
    this.redis?.close();
  }

  consume(counters: readonly KeyedCounter[]): ConsumeResult | Promise<ConsumeResult> {
    return this.counters.consume(counters.map(storedOf));
  }

  read(counters: readonly KeyedCounter[]): Promise<Count[]> {
    return this.counters.read(counters.map(storedOf));
  }

  clear(counters: readonly KeyedCounter[]): Promise<void> {
    return this.counters.clear(counters.map(storedOf));
  }

  refund(refunds: readonly Refund[]): Promise<void> | void {
    return this.counters.refund(
      refunds.map(({ counter, left }) => {
        const { key, limit, window } = storedOf(counter);
        return { key, limit, window, left };
      }),
    );
  }
}
