import { unavailable } from '../api/errors/error-codes';
import { CounterTable } from './counter-table';

/** A counter and its limit. */
export interface Counted {
  /** Unique key of the counter. */
  readonly key: string;
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
}

/** A counter that counted a request. */
export interface Refunded extends Counted {
  /** Milliseconds until the end of the window in which it counted; by default the current window. */
  readonly left?: number | undefined;
}

/**
 * Milliseconds by which the end of a window may differ from the one that the request was told:
 * windows are at least a minute.
 */
export const WINDOW_TOLERANCE_MS = 5000;

/** The state of a counter. */
export interface Count {
  readonly used: number;
  /** Milliseconds until its window ends; undefined when none has begun. */
  readonly reset: number | undefined;
}

export interface ConsumeResult {
  /** Whether the request is within all its limits. Otherwise it is not counted. */
  readonly granted: boolean;
  readonly counts: readonly Count[];
}

/**
 * Storage of counters. A counter's window begins with its first request. Results are promises unless
 * the counters are in the memory of this process.
 */
export interface Counters {
  /**
   * Counts a request in all counters, or in none when one of them is full.
   *
   * @throws ApiError 999 with 503 when it cannot be counted
   */
  consume(counters: readonly Counted[]): ConsumeResult | Promise<ConsumeResult>;
  /** Reads counters. @throws ApiError 999 with 503 when they are unavailable */
  read(counters: readonly Counted[]): Promise<Count[]>;
  /** Uncounts one request, in counters whose window has not ended. */
  refund(counters: readonly Refunded[]): Promise<void> | void;
  /** Deletes counters. */
  clear(counters: readonly Counted[]): Promise<void>;
}

/** Whole milliseconds of a clock that nobody sets: the wall clock may go back and prolong windows. */
const monotonicNow = (): number => Math.floor(performance.now());

/**
 * Counts in the memory of this process, with a limited number of counters ({@link CounterTable}).
 * Every method works synchronously, so requests are counted one after the other.
 */
export class MemoryCounters implements Counters {
  private readonly table: CounterTable;

  /** @param capacity maximum number of counters */
  constructor(capacity: number) {
    this.table = new CounterTable(capacity);
  }

  /** Number of stored counters. */
  get size(): number {
    return this.table.size;
  }

  consume(counters: readonly Counted[]): ConsumeResult {
    const now = monotonicNow();
    const granted = counters.every(({ key, limit }) => this.countOf(key, now).used < limit);
    if (granted) {
      for (const { key, limit, window } of counters) {
        this.table.add(key, limit, window * 1000, now);
      }
    }
    return { granted, counts: counters.map(({ key }) => this.countOf(key, now)) };
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws must be a rejection
  async read(counters: readonly Counted[]): Promise<Count[]> {
    const now = monotonicNow();
    return counters.map(({ key }) => this.countOf(key, now));
  }

  refund(counters: readonly Refunded[]): void {
    const now = monotonicNow();
    for (const { key, limit, left = Infinity } of counters)
      this.table.subtract(key, limit, now, now + left + WINDOW_TOLERANCE_MS);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async clear(counters: readonly Counted[]): Promise<void> {
    for (const { key } of counters) this.table.delete(key);
  }

  private countOf(key: string, now: number): Count {
    const slot = this.table.find(key, now);
    return slot === undefined
      ? { used: 0, reset: undefined }
      : { used: this.table.usedAt(slot), reset: this.table.endOf(slot) - now };
  }
}

/** Rejects every counted request (`LIMITS_WITHOUT_REDIS=refuse`). */
export class RefusingCounters implements Counters {
  consume(): Promise<ConsumeResult> {
    return Promise.reject(unavailable(new Error('Redis is unavailable')));
  }

  read(): Promise<Count[]> {
    return Promise.reject(unavailable(new Error('Redis is unavailable')));
  }

  refund(): Promise<void> {
    return Promise.resolve();
  }

  clear(): Promise<void> {
    return Promise.resolve();
  }
}
