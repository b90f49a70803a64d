import { KeyedSemaphore } from './keyed-semaphore';
import { Semaphore } from './semaphore';

/**
 * Limits the completely received uploads that are processed at once. One address has at most half
 * of the turns, however many users it has: pictures of a few kilobytes can take seconds to decode.
 */
export class UploadTurns {
  private readonly all: Semaphore;
  private readonly ofAddresses: KeyedSemaphore<string>;

  /** @param capacity maximum number of uploads that are processed at once */
  constructor(capacity: number) {
    this.all = new Semaphore(capacity);
    this.ofAddresses = new KeyedSemaphore(Math.ceil(capacity / 2));
  }

  /**
   * Waits for a turn.
   *
   * @param address limit key of the client's address
   * @param gone ends the wait
   * @returns a function that ends the turn
   * @throws the signal's reason if it is aborted first
   */
  async acquire(address: string, gone: AbortSignal): Promise<() => void> {
    const leaveAddress = await this.ofAddresses.acquire(address, gone);
    try {
      const end = await this.all.acquire(1, gone);
      return () => {
        end();
        leaveAddress();
      };
    } catch (error) {
      leaveAddress();
      throw error;
    }
  }
}
