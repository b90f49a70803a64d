import { unavailable } from '../api/errors/errors';
import { CounterTable } from './counter-table';

/** A counter, and how much it may hold. */
export interface Counted {
  /** Names the counter among all. */
  readonly key: string;
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
}

/** How a counter stands. */
export interface Count {
  readonly used: number;
  /** Milliseconds until its window ends; undefined when none has begun. */
  readonly reset: number | undefined;
}

export interface Taken {
  /** Whether the request is within all its limits; only then was it counted. */
  readonly granted: boolean;
  readonly counts: readonly Count[];
}

/** Where requests are counted. A counter's window begins with its first request. */
export interface Counters {
  /**
   * Counts a request in every counter, or in none when one of them is full.
   *
   * @throws ApiError 999 with 503 when it cannot be counted
   */
  take(counters: readonly Counted[]): Promise<Taken>;
  /** How counters stand. @throws ApiError 999 with 503 when nobody can say */
  look(counters: readonly Counted[]): Promise<Count[]>;
  /** Takes back what was counted once, in counters whose window has not ended. */
  giveBack(counters: readonly Counted[]): Promise<void>;
  /** Forgets what was counted. */
  clear(counters: readonly Counted[]): Promise<void>;
}

/**
 * Counts in the memory of this process, in a bounded number of counters ({@link CounterTable}).
 * Every method does its work before it returns, so requests are counted one after the other.
 */
export class MemoryCounters implements Counters {
  private readonly table: CounterTable;

  /** @param capacity counters that are kept at most */
  constructor(capacity: number) {
    this.table = new CounterTable(capacity);
  }

  /** Counters that are kept now. */
  get size(): number {
    return this.table.size;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws must be a rejection
  async take(counters: readonly Counted[]): Promise<Taken> {
    const now = Date.now();
    const granted = counters.every(({ key, limit }) => this.countOf(key, now).used < limit);
    if (granted) {
      for (const { key, limit, window } of counters) {
        this.table.add(key, limit, window * 1000, now);
      }
    }
    return { granted, counts: counters.map(({ key }) => this.countOf(key, now)) };
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async look(counters: readonly Counted[]): Promise<Count[]> {
    const now = Date.now();
    return counters.map(({ key }) => this.countOf(key, now));
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async giveBack(counters: readonly Counted[]): Promise<void> {
    const now = Date.now();
    for (const { key, limit } of counters) this.table.subtract(key, limit, now);
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

/** Counts nothing, and refuses whatever has to be counted (`LIMITS_WITHOUT_REDIS=refuse`). */
export class RefusingCounters implements Counters {
  take(): Promise<Taken> {
    return Promise.reject(unavailable(new Error('Redis is away')));
  }

  look(): Promise<Count[]> {
    return Promise.reject(unavailable(new Error('Redis is away')));
  }

  giveBack(): Promise<void> {
    return Promise.resolve();
  }

  clear(): Promise<void> {
    return Promise.resolve();
  }
}
