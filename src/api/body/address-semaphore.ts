import { KeyedSemaphore } from './keyed-semaphore';
import { Semaphore } from './semaphore';

/**
 * Limits expensive work that runs at once, such as the parsing of large bodies. One address has at
 * most half of the permits, however many users it has. Work waits in the order in which it would end
 * if the addresses shared the permits equally, so that light work waits for little of others.
 */
export class AddressSemaphore {
  private readonly all: Semaphore;
  private readonly ofAddresses: KeyedSemaphore<string>;
  /** The virtual time: the weight of all work that has begun, shared by the addresses of its time. */
  private time = 0;
  /** By address: the rank of its last work, if that is in the future. */
  private readonly ranks = new Map<string, number>();

  /** @param capacity number of permits, or their total weight */
  constructor(capacity: number) {
    this.all = new Semaphore(capacity);
    this.ofAddresses = new KeyedSemaphore(Math.ceil(capacity / 2));
  }

  /**
   * Acquires a permit.
   *
   * @param address limit key of the client's address
   * @param disconnected ends the wait
   * @param weight part of the capacity that it takes; at most half of it
   * @returns a function that releases the permit
   * @throws the signal's reason if it is aborted first
   */
  async acquire(address: string, disconnected: AbortSignal, weight = 1): Promise<() => void> {
    const leaveAddress = await this.ofAddresses.acquire(address, disconnected, weight);
    try {
      const rank = this.rankOf(address, weight);
      const end = await this.all.acquire(weight, disconnected, rank);
      this.time += weight / this.ofAddresses.size;
      return () => {
        end();
        leaveAddress();
      };
    } catch (error) {
      leaveAddress();
      throw error;
    }
  }

  /** Gives work of an address its place in the order. */
  private rankOf(address: string, weight: number): number {
    for (const [other, last] of this.ranks) if (last <= this.time) this.ranks.delete(other);
    const rank = Math.max(this.time, this.ranks.get(address) ?? 0) + weight;
    this.ranks.set(address, rank);
    return rank;
  }

  /** Takes a permit if it is free and neither the address nor others wait; else undefined. */
  tryAcquire(address: string, weight = 1): (() => void) | undefined {
    const leaveAddress = this.ofAddresses.tryAcquire(address, weight);
    const end = leaveAddress && this.all.tryAcquire(weight);
    if (!end) {
      leaveAddress?.();
      return undefined;
    }
    return () => {
      end();
      leaveAddress();
    };
  }
}
