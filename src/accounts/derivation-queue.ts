import { unavailable } from '../api/errors/error-codes';

/** The client of a password derivation. */
export interface DerivationClient {
  /** The key of the client's address in rate limits. */
  readonly address: string;
  /** Whether the user has signed in with this browser before. */
  readonly trusted: boolean;
}

export interface DerivationLimits {
  /** Maximum number of concurrent derivations. */
  readonly running: number;
  /** Maximum number of waiting derivations. */
  readonly waiting: number;
  /** Part of `waiting` that is reserved for trusted browsers. */
  readonly reserved: number;
  /** Maximum number of waiting derivations of one address, without trusted browsers. */
  readonly perAddress: number;
  /** Maximum number of waiting derivations of one address for its trusted browsers. */
  readonly trustedPerAddress: number;
  /** Maximum number of consecutive trusted derivations while others wait. */
  readonly maxConsecutiveTrusted: number;
}

/**
 * A derivation uses 32 MiB and one of the four threads of libuv's pool. With two at once, the other
 * threads stay free for files and name resolution, also during a flood of sign-ins.
 */
export const DERIVATION_LIMITS: DerivationLimits = {
  running: 2,
  waiting: 64,
  reserved: 16,
  perAddress: 16,
  trustedPerAddress: 32,
  maxConsecutiveTrusted: 4,
};

interface Waiting {
  readonly client: DerivationClient;
  /** When it arrived, by {@link DerivationQueue.sequence}. */
  readonly arrival: number;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** Moves the entries of an address to the end, in their order. */
const movedLast = (entries: readonly Waiting[], address: string): Waiting[] => [
  ...entries.filter(({ client }) => client.address !== address),
  ...entries.filter(({ client }) => client.address === address),
];

/** Maximum milliseconds that a derivation waits. Clients usually wait half a minute for a response. */
const MAX_WAIT_MS = 20_000;

const busy = (): Error => unavailable(new Error('too many password derivations are waiting'));

/**
 * Limits concurrent password derivations. One of an address runs at once, and further ones wait. The
 * addresses take turns: when a derivation of an address ends, its next one comes after those of the
 * other addresses that wait. Derivations of trusted browsers come first. One of them follows another
 * only if its address has had no turn since the next other derivation arrived.
 *
 * An address has a limited share of the queue. When the queue is full, derivations are rejected at
 * once, unless another address has more of them in the queue: then one of its latest is rejected, so
 * that a few addresses cannot occupy the queue.
 */
export class DerivationQueue {
  /** The addresses of running derivations. */
  private readonly running = new Set<string>();
  // In the order of the turns of their addresses.
  private trusted: Waiting[] = [];
  private others: Waiting[] = [];
  /** Counts arrivals and starts. */
  private sequence = 0;
  /** When the last derivation of an address started, in this order. */
  private readonly lastTurns = new Map<string, number>();
  /** Number of trusted derivations that have started since others had a turn. */
  private consecutiveTrusted = 0;

  constructor(private readonly limits: DerivationLimits = DERIVATION_LIMITS) {}

  /** @throws ApiError 999 with 503 when the queue is full, and after 20 seconds in it */
  async run<T>(client: DerivationClient, derive: () => Promise<T>): Promise<T> {
    if (this.canStart(client.address)) this.begin(client.address);
    else await this.wait(client);
    try {
      return await derive();
    } finally {
      this.end(client);
    }
  }

  /** If an address can start a derivation, none of its derivations waits. */
  private canStart(address: string): boolean {
    return this.running.size < this.limits.running && !this.running.has(address);
  }

  private wait(client: DerivationClient): Promise<void> {
    if (this.isShareUsed(client)) throw busy();
    if (this.isFull(client) && !this.displace(client)) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(entry);
        reject(unavailable(new Error('a password derivation has waited too long')));
      }, MAX_WAIT_MS);
      const entry: Waiting = {
        client,
        arrival: (this.sequence += 1),
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      (client.trusted ? this.trusted : this.others).push(entry);
    });
  }

  private remove(removed: Waiting | undefined): void {
    this.trusted = this.trusted.filter((entry) => entry !== removed);
    this.others = this.others.filter((entry) => entry !== removed);
  }

  /**
   * Makes room for an address by rejecting the latest derivation of the address with the longest
   * queue, one of a trusted browser only if the address has no other.
   * @returns false if its queue is hardly longer
   */
  private displace({ address, trusted }: DerivationClient): boolean {
    // Trusted browsers keep their reserved places when others arrive.
    const mayDisplaceTrusted = trusted || this.trusted.length > this.limits.reserved;
    const candidates = mayDisplaceTrusted ? [...this.trusted, ...this.others] : this.others;
    const queuedByAddress = new Map<string, number>();
    for (const { client } of candidates) {
      queuedByAddress.set(client.address, (queuedByAddress.get(client.address) ?? 0) + 1);
    }
    const longestQueue = Math.max(0, ...queuedByAddress.values());
    // Otherwise two addresses would displace each other in turn.
    if (longestQueue <= (queuedByAddress.get(address) ?? 0) + 1) return false;
    const displaced = candidates.findLast(
      ({ client }) => queuedByAddress.get(client.address) === longestQueue,
    );
    this.remove(displaced);
    displaced?.refuse(busy());
    return true;
  }

  /** Whether an address has its maximum of waiting derivations. */
  private isShareUsed({ address, trusted }: DerivationClient): boolean {
    const queue = trusted ? this.trusted : this.others;
    const share = trusted ? this.limits.trustedPerAddress : this.limits.perAddress;
    return queue.filter(({ client }) => client.address === address).length >= share;
  }

  private isFull({ trusted }: DerivationClient): boolean {
    const { waiting, reserved } = this.limits;
    const all = this.trusted.length + this.others.length;
    return all >= (trusted ? waiting : waiting - reserved);
  }

  private begin(address: string): void {
    this.running.add(address);
    this.lastTurns.delete(address);
    this.lastTurns.set(address, (this.sequence += 1));
  }

  /** Ends a derivation and starts the next one. */
  private end({ address }: DerivationClient): void {
    this.running.delete(address);
    this.trusted = movedLast(this.trusted, address);
    this.others = movedLast(this.others, address);
    this.deleteOldTurns();
    const next = this.findNext();
    if (!next) return;
    this.remove(next);
    this.begin(next.client.address);
    // Without others, nobody waits for a turn.
    this.consecutiveTrusted =
      next.client.trusted && this.others.length > 0 ? this.consecutiveTrusted + 1 : 0;
    next.start();
  }

  /** Removes the turns from before the arrival of the first waiting derivation. */
  private deleteOldTurns(): void {
    const arrivals = [...this.trusted, ...this.others].map(({ arrival }) => arrival);
    const first = Math.min(...arrivals);
    for (const [address, turn] of this.lastTurns) {
      if (turn > first) return;
      this.lastTurns.delete(address);
    }
  }

  private findNext(): Waiting | undefined {
    const canStart = ({ client }: Waiting): boolean => this.canStart(client.address);
    const trusted = this.trusted.find(canStart);
    const other = this.others.find(canStart);
    if (!trusted || !other) return trusted ?? other;
    // Users with trusted browsers must not be able to prevent all other sign-ins.
    const mustServeOther =
      this.consecutiveTrusted >= this.limits.maxConsecutiveTrusted ||
      (this.consecutiveTrusted > 0 &&
        (this.lastTurns.get(trusted.client.address) ?? 0) > other.arrival);
    return mustServeOther ? other : trusted;
  }
}
