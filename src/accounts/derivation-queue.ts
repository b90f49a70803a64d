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
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** Maximum milliseconds that a derivation waits. Clients usually wait half a minute for a response. */
const MAX_WAIT_MS = 20_000;

const busy = (): Error => unavailable(new Error('too many password derivations are waiting'));

/**
 * Limits concurrent password derivations. Further ones wait, those of trusted browsers first, as
 * far as the others still get a share. An address has a limited share of the queue. When the queue is
 * full, derivations are rejected at once, unless another address has more of them in the queue: then
 * one of its latest is rejected, so that a few addresses cannot occupy the queue.
 */
export class DerivationQueue {
  private running = 0;
  private trusted: Waiting[] = [];
  private others: Waiting[] = [];
  /** Consecutive trusted derivations that have started. */
  private consecutiveTrusted = 0;

  constructor(private readonly limits: DerivationLimits = DERIVATION_LIMITS) {}

  /** @throws ApiError 999 with 503 when the queue is full, and after 20 seconds in it */
  async run<T>(client: DerivationClient, derive: () => Promise<T>): Promise<T> {
    if (this.running < this.limits.running) this.running += 1;
    else await this.wait(client);
    try {
      return await derive();
    } finally {
      this.next();
    }
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

  /** Starts the next derivation after one has ended. */
  private next(): void {
    // Users with trusted browsers must not be able to prevent all other sign-ins.
    const mustServeUntrusted =
      this.consecutiveTrusted >= this.limits.maxConsecutiveTrusted && this.others.length > 0;
    const trusted = mustServeUntrusted ? undefined : this.trusted.shift();
    this.consecutiveTrusted = trusted ? this.consecutiveTrusted + 1 : 0;
    const next = trusted ?? this.others.shift();
    if (next) next.start();
    else this.running -= 1;
  }
}
