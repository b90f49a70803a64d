/** Milliseconds after which time counts half. */
const HALF_LIFE_MS = 30_000;

/** Maximum number of addresses, for memory. One that was removed counts as new. */
const MAX_ADDRESSES = 1000;

interface Spent {
  readonly milliseconds: number;
  readonly at: number;
}

/** The time that was spent recently for each address: it counts half after half a minute. */
export class RecentTime {
  /** By limit key of the address, in the order of the last additions. */
  private readonly spent = new Map<string, Spent>();

  /** @returns milliseconds; 0 for a new address */
  of(address: string): number {
    const spent = this.spent.get(address);
    if (!spent) return 0;
    return spent.milliseconds * 2 ** ((spent.at - performance.now()) / HALF_LIFE_MS);
  }

  add(address: string, milliseconds: number): void {
    const total = this.of(address) + milliseconds;
    this.spent.delete(address);
    this.spent.set(address, { milliseconds: total, at: performance.now() });
    if (this.spent.size <= MAX_ADDRESSES) return;
    const [oldest] = this.spent.keys();
    if (oldest !== undefined) this.spent.delete(oldest);
  }
}
