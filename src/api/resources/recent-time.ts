/** Milliseconds after which time counts half. */
const HALF_LIFE_MS = 30_000;

/** Maximum number of clients, for memory. One that was removed counts as new. */
const MAX_CLIENTS = 1000;

interface Spent {
  readonly milliseconds: number;
  readonly at: number;
}

/** The time that was spent recently for each client: it counts half after half a minute. */
export class RecentTime {
  /** By client, in the order of the last additions. */
  private readonly spent = new Map<string, Spent>();

  /** @returns milliseconds; 0 for a new client */
  of(client: string): number {
    const spent = this.spent.get(client);
    if (!spent) return 0;
    return spent.milliseconds * 2 ** ((spent.at - performance.now()) / HALF_LIFE_MS);
  }

  add(client: string, milliseconds: number): void {
    const total = this.of(client) + milliseconds;
    this.spent.delete(client);
    this.spent.set(client, { milliseconds: total, at: performance.now() });
    if (this.spent.size <= MAX_CLIENTS) return;
    const [oldest] = this.spent.keys();
    if (oldest !== undefined) this.spent.delete(oldest);
  }
}
