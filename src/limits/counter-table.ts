/** Counters are ranked by quarters of their limits. */
const RANKS = 4;
/** Limits count as this at most: of a counter with a limit of a million, 100 are much. */
const HIGHEST_RANKED = 100;

/** Slots that each use of the table looks at, to remove counters whose window has ended. */
const SWEPT = 4;

/** No slot. */
const NONE = -1;

/** The counters of one rank, from the one that was used longest ago to the one used last. */
interface Ranked {
  oldest: number;
  newest: number;
  size: number;
}

/**
 * A bounded number of counters in memory. It holds about 130 bytes a counter, no timers, and no
 * counter that stands at 0; those whose window has ended are removed in passing.
 *
 * A full table evicts a counter for every new key. Whoever can make up keys (by calling from many
 * addresses, say) must not be able to reset a counter cheaply that way: neither the own one, nor
 * that of guesses at somebody's password. So the table evicts by use before it evicts by age:
 *
 * - Counters are ranked by the quarter of their limit (of 100, where it is higher) that is used. The
 *   least recently used of the lowest rank is evicted first. To reset a counter of a higher rank, an
 *   attacker has to drive three quarters of the table to the same quarter of their own limits, each
 *   of which takes many requests that are counted. To reset a counter of the lowest rank costs a
 *   quarter of the table, and wins less than a quarter of one limit.
 * - The higher ranks hold at most three quarters of the table, so that they cannot crowd out new
 *   counters, which would then never reach a limit.
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
  /** The slot that is looked at next for a window that has ended. */
  private hand = 0;

  /** @param capacity counters at most */
  constructor(private readonly capacity: number) {
    this.used = new Uint32Array(capacity);
    this.ends = new Float64Array(capacity);
    this.rank = new Uint8Array(capacity);
    this.older = new Int32Array(capacity);
    this.newer = new Int32Array(capacity);
  }

  /** Counters that it holds. */
  get size(): number {
    return this.slots.size;
  }

  /** Slot of a counter whose window goes on, for {@link usedAt} and {@link endOf}. */
  find(key: string, now: number): number | undefined {
    const slot = this.slots.get(key);
    return slot !== undefined && (this.ends[slot] as number) > now ? slot : undefined;
  }

  usedAt(slot: number): number {
    return this.used[slot] as number;
  }

  /** When the counter's window ends, in milliseconds since 1970. */
  endOf(slot: number): number {
    return this.ends[slot] as number;
  }

  /**
   * Adds one to a counter; its window begins now when none goes on.
   *
   * @param window milliseconds
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

  /** Takes one from a counter whose window goes on; one that comes to 0 is removed. */
  subtract(key: string, limit: number, now: number): void {
    const slot = this.find(key, now);
    if (slot === undefined) return;
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
      // A free slot ended at the beginning of time, and has no counter.
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

  /** Makes a slot the last used of its rank. */
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
