/** Counters are ranked by quarters of their limits. */
const RANKS = 4;
/** Maximum limit for ranking: 100 uses are many, even with a limit of a million. */
const HIGHEST_RANKED = 100;

/** Number of slots that each operation checks for ended windows. */
const SWEPT = 4;

/** No slot. */
const NONE = -1;

/** The counters of one rank, ordered from least to most recently used. */
interface Ranked {
  oldest: number;
  newest: number;
  size: number;
}

/**
 * A limited number of counters in memory, with about 130 bytes per counter and no timers. It stores
 * no counters with value 0, and each operation removes some whose window has ended.
 *
 * A full table evicts a counter for every new key. An attacker who can create keys (for example by
 * requests from many addresses) must not be able to reset a counter cheaply, such as a counter of
 * password attempts. So the table evicts by use first, and then by age:
 *
 * - The rank of a counter is the used quarter of its limit (of 100, if the limit is higher). The
 *   least recently used counter of the lowest rank is evicted first. To reset a counter of a higher
 *   rank, an attacker has to raise three quarters of the table to the same rank, which takes many
 *   counted requests for each. To reset a counter of the lowest rank takes a quarter of the table,
 *   and gains less than a quarter of one limit.
 * - The higher ranks occupy at most three quarters of the table. Otherwise new counters would be
 *   evicted at once and never reach a limit.
 */
export class CounterTable {
  private readonly slots = new Map<string, number>();
  private readonly keys: string[] = [];
  private readonly free: number[] = [];
  private readonly used: Uint32Array;
  private readonly ends: Float64Array;
  private readonly rank: Uint8Array;
  private readonly older: Int32Array;
  private readonly newer: Int32Array;
  private readonly ranks: readonly Ranked[] = Array.from({ length: RANKS }, () => {
    return { oldest: NONE, newest: NONE, size: 0 };
  });
  /** The next slot to check for an ended window. */
  private hand = 0;

  /** @param capacity maximum number of counters */
  constructor(private readonly capacity: number) {
    this.used = new Uint32Array(capacity);
    this.ends = new Float64Array(capacity);
    this.rank = new Uint8Array(capacity);
    this.older = new Int32Array(capacity);
    this.newer = new Int32Array(capacity);
  }

  /** Number of stored counters. */
  get size(): number {
    return this.slots.size;
  }

  /** Slot of a counter with a current window, for {@link usedAt} and {@link endOf}. */
  find(key: string, now: number): number | undefined {
    const slot = this.slots.get(key);
    return slot !== undefined && (this.ends[slot] as number) > now ? slot : undefined;
  }

  usedAt(slot: number): number {
    return this.used[slot] as number;
  }

  /** End of the counter's window, by the clock of {@link add}. */
  endOf(slot: number): number {
    return this.ends[slot] as number;
  }

  /**
   * Increments a counter; without a current window, its window begins now.
   *
   * @param window milliseconds
   * @param now milliseconds of any clock above 0, the same one for all methods
   */
  add(key: string, limit: number, window: number, now: number): void {
    this.sweep(now);
    let slot = this.slots.get(key);
    if (slot === undefined) {
      if (this.slots.size >= this.capacity) this.evict();
      slot = this.free.pop() ?? this.keys.length;
      this.slots.set(key, slot);
      this.keys[slot] = key;
      this.begin(slot, window, now);
    } else {
      this.unlink(slot);
      if ((this.ends[slot] as number) <= now) this.begin(slot, window, now);
    }
    this.used[slot] = (this.used[slot] as number) + 1;
    this.link(slot, limit);
  }

  /**
   * Decrements a counter with a current window, and removes it at 0.
   *
   * @param latestEnd by the same clock; a window that ends later is not changed
   */
  subtract(key: string, limit: number, now: number, latestEnd = Infinity): void {
    const slot = this.find(key, now);
    if (slot === undefined || this.endOf(slot) > latestEnd) return;
    const left = (this.used[slot] as number) - 1;
    if (left === 0) {
      this.remove(slot);
      return;
    }
    this.unlink(slot);
    this.used[slot] = left;
    this.link(slot, limit);
  }

  delete(key: string): void {
    const slot = this.slots.get(key);
    if (slot !== undefined) this.remove(slot);
  }

  private begin(slot: number, window: number, now: number): void {
    this.used[slot] = 0;
    this.ends[slot] = now + window;
  }

  private sweep(now: number): void {
    const most = Math.min(SWEPT, this.keys.length);
    for (let looked = 0; looked < most; looked += 1) {
      this.hand = this.hand + 1 < this.keys.length ? this.hand + 1 : 0;
      // A free slot has the end 0, and no counter.
      const end = this.ends[this.hand] as number;
      if (end !== 0 && end <= now) this.remove(this.hand);
    }
  }

  private evict(): void {
    const [lowest, ...higher] = this.ranks;
    const spare = (lowest?.size ?? 0) > this.capacity / RANKS;
    const from = spare ? lowest : (higher.find(({ size }) => size > 0) ?? lowest);
    if (from && from.oldest !== NONE) this.remove(from.oldest);
  }

  private remove(slot: number): void {
    this.unlink(slot);
    this.slots.delete(this.keys[slot] as string);
    this.keys[slot] = '';
    this.ends[slot] = 0;
    this.free.push(slot);
  }

  /** Makes a slot the most recently used of its rank. */
  private link(slot: number, limit: number): void {
    const quarters = (RANKS * (this.used[slot] as number)) / Math.min(limit, HIGHEST_RANKED);
    const rank = Math.min(RANKS - 1, Math.floor(quarters));
    const list = this.ranks[rank] as Ranked;
    this.rank[slot] = rank;
    this.older[slot] = list.newest;
    this.newer[slot] = NONE;
    if (list.newest === NONE) list.oldest = slot;
    else this.newer[list.newest] = slot;
    list.newest = slot;
    list.size += 1;
  }

  private unlink(slot: number): void {
    const list = this.ranks[this.rank[slot] as number] as Ranked;
    const [older, newer] = [this.older[slot] as number, this.newer[slot] as number];
    if (older === NONE) list.oldest = newer;
    else this.newer[older] = newer;
    if (newer === NONE) list.newest = older;
    else this.older[newer] = older;
    list.size -= 1;
  }
}
