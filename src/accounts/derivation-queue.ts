import { unavailable } from '../api/errors/errors';

/** Whose password is derived. */
export interface DerivationClient {
  /** What the client's address counts as in limits. */
  readonly address: string;
  /** The browser has signed this user in before. */
  readonly trusted: boolean;
}

export interface DerivationLimits {
  /** Derivations that run at once. */
  readonly running: number;
  /** Derivations that wait. */
  readonly waiting: number;
  /** Of these, places that only trusted browsers get. */
  readonly reserved: number;
  /** Derivations that wait for one address, unless its browser is trusted. */
  readonly perAddress: number;
}

/**
 * A derivation takes a thread of libuv's pool, which has four, and 32 MiB. Two leave the other
 * threads to files and name resolution, so that everything else goes on under a flood of passwords.
 */
export const DERIVATION_LIMITS: DerivationLimits = {
  running: 2,
  waiting: 64,
  reserved: 16,
  perAddress: 16,
};

interface Waiting {
  readonly client: DerivationClient;
  readonly start: () => void;
}

/**
 * Bounds derivations of passwords. Those beyond the running ones wait, trusted browsers' first; those
 * beyond the waiting ones are refused at once.
 */
export class DerivationQueue {
  private running = 0;
  private trusted: Waiting[] = [];
  private others: Waiting[] = [];

  constructor(private readonly limits: DerivationLimits = DERIVATION_LIMITS) {}

  /** @throws ApiError 999 with 503 when too many wait already */
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
    if (this.isFull(client)) {
      throw unavailable(new Error('too many passwords wait to be derived'));
    }
    return new Promise((resolve) => {
      (client.trusted ? this.trusted : this.others).push({ client, start: resolve });
    });
  }

  private isFull({ address, trusted }: DerivationClient): boolean {
    const { waiting, reserved, perAddress } = this.limits;
    const all = this.trusted.length + this.others.length;
    if (trusted) return all >= waiting;
    if (all >= waiting - reserved) return true;
    return this.others.filter(({ client }) => client.address === address).length >= perAddress;
  }

  /** Hands the place of one that has ended to the next. */
  private next(): void {
    const next = this.trusted.shift() ?? this.others.shift();
    if (next) next.start();
    else this.running -= 1;
  }
}
