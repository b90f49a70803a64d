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

/** Counters with digests, while the list of the same counters is used again. */
const digestedLists = new WeakMap<readonly Counted[], readonly Counted[]>();
/** The same by counter, for refunds, which use the same counters in different lists. */
const digestedCounters = new WeakMap<Counted, Counted>();

/** Replaces the key of a counter by its digest. */
const digested = ({ key, limit, window }: Counted): Counted => ({
  key: digestOfKey(key),
  limit,
  window,
});

function memoized<K extends object, V>(memory: WeakMap<K, V>, key: K, make: (key: K) => V): V {
  const existing = memory.get(key);
  if (existing !== undefined) return existing;
  const made = make(key);
  memory.set(key, made);
  return made;
}

const digestedList = (counters: readonly Counted[]): readonly Counted[] =>
  memoized(digestedLists, counters, (all) => all.map(digested));

/** A counter in which a request no longer counts. */
export interface Refund {
  readonly counter: Counted;
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

  consume(counters: readonly Counted[]): ConsumeResult | Promise<ConsumeResult> {
    return this.counters.consume(digestedList(counters));
  }

  read(counters: readonly Counted[]): Promise<Count[]> {
    return this.counters.read(digestedList(counters));
  }

  clear(counters: readonly Counted[]): Promise<void> {
    return this.counters.clear(digestedList(counters));
  }

  refund(refunds: readonly Refund[]): Promise<void> | void {
    return this.counters.refund(
      refunds.map(({ counter, left }) => ({
        ...memoized(digestedCounters, counter, digested),
        left,
      })),
    );
  }
}
