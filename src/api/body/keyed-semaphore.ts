import { Semaphore } from './semaphore';

interface Holders {
  readonly turns: Semaphore;
  /** Those who hold it and those who wait. */
  count: number;
}

/** Bounds what runs at once for the same key: the others wait, first come, first served. */
export class KeyedSemaphore<K> {
  private readonly holders = new Map<K, Holders>();

  /** @param capacity what may run at once for one key */
  constructor(private readonly capacity: number) {}

  /**
   * Waits for a place.
   *
   * @param gone ends the waiting
   * @returns what gives the place back; calling it again does nothing
   * @throws the signal's reason, when it came first
   */
  async acquire(key: K, gone?: AbortSignal): Promise<() => void> {
    const holders = this.holders.get(key) ?? { turns: new Semaphore(this.capacity), count: 0 };
    this.holders.set(key, holders);
    holders.count += 1;
    const leave = (): void => {
      holders.count -= 1;
      if (holders.count === 0) this.holders.delete(key);
    };
    try {
      const end = await holders.turns.acquire(1, gone);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        end();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Keys that somebody holds or waits for. */
  get size(): number {
    return this.holders.size;
  }
}
