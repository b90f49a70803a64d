import { KeyedSemaphore } from './keyed-semaphore';
import { Semaphore } from './semaphore';
import { VirtualTime } from './virtual-time';

/**
 * Limits expensive work that runs at once, such as the parsing of large bodies. One address has a part
 * of the permits, however many users it has. Work waits in the order in which it would end
 * if the addresses shared the permits equally, so that light work waits for little of others.
 */
export class AddressSemaphore {
  private readonly all: Semaphore;
  private readonly ofAddresses: KeyedSemaphore<string>;
  private readonly time = new VirtualTime();

  /**
   * @param capacity number of permits, or their total weight
   * @param maxOfAddress permits of one address; by default half of them
   */
  constructor(capacity: number, maxOfAddress = Math.ceil(capacity / 2)) {
    this.all = new Semaphore(capacity);
    this.ofAddresses = new KeyedSemaphore(maxOfAddress);
  }

  /**
   * Acquires a permit.
   *
   * @param address limit key of the client's address
   * @param disconnected ends the wait
   * @param weight part of the capacity that it takes; at most that of an address
   * @returns a function that releases the permit
   * @throws the signal's reason if it is aborted first
   */
  async acquire(address: string, disconnected?: AbortSignal, weight = 1): Promise<() => void> {
    const leaveAddress = await this.ofAddresses.acquire(address, disconnected, weight);
    const work = this.time.add(address, weight, this.all.hasWaiters);
    try {
      const end = await this.all.acquire(weight, disconnected, work.end);
      this.time.startPart(work, weight, weight, this.ofAddresses.size);
      return () => {
        end();
        leaveAddress();
      };
    } catch (error) {
      this.time.giveBack(work, weight);
      leaveAddress();
      throw error;
    }
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
