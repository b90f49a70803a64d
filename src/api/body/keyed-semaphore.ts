import { Semaphore } from './semaphore';

interface Holders {
  readonly turns: Semaphore;
  /** Number of holders and waiters. */
  count: number;
}

/** Limits what runs at once for the same key. The others wait in first-in, first-out order. */
export class KeyedSemaphore<K> {
  private readonly holders = new Map<K, Holders>();

  /** @param capacity total weight that may run at once for one key */
  constructor(private readonly capacity: number) {}

  /**
   * Waits for a permit.
   *
   * @param gone ends the wait
   * @param weight part of the capacity that it takes; at most the full capacity
   * @returns a function that releases the permit, and is idempotent
   * @throws the signal's reason if it is aborted first
   */
  async acquire(key: K, gone?: AbortSignal, weight = 1): Promise<() => void> {
    const holders = this.enter(key);
    try {
      const end = await holders.turns.acquire(weight, gone);
      return this.releaseOnce(key, holders, end);
    } catch (error) {
      this.leave(key, holders);
      throw error;
    }
  }

  /** Takes a permit if nobody waits for one of the key and it is free; else undefined. */
  tryAcquire(key: K, weight = 1): (() => void) | undefined {
    const holders = this.enter(key);
    const end = holders.turns.tryAcquire(weight);
    if (end) return this.releaseOnce(key, holders, end);
    this.leave(key, holders);
    return undefined;
  }

  private enter(key: K): Holders {
    const holders = this.holders.get(key) ?? { turns: new Semaphore(this.capacity), count: 0 };
    this.holders.set(key, holders);
    holders.count += 1;
    return holders;
  }

  private leave(key: K, holders: Holders): void {
    holders.count -= 1;
    if (holders.count === 0) this.holders.delete(key);
  }

  private releaseOnce(key: K, holders: Holders, end: () => void): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      end();
      this.leave(key, holders);
    };
  }

  /** Number of keys with a holder or waiter. */
  get size(): number {
    return this.holders.size;
  }
}
