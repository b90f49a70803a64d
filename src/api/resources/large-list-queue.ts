import { AddressSemaphore } from '../body/address-semaphore';
import { unavailable } from '../errors/error-codes';
import { type RequestContext } from '../http/request-context';

/** Limits of {@link LargeListQueue}. */
export interface LargeListLimits {
  /** Maximum number of lists that are rendered at once: at most half of them for one address. */
  readonly rendered: number;
  /** Maximum number of lists that wait. Each holds its rows in memory. */
  readonly waiting: number;
}

/**
 * Limits how many large lists are rendered at once. Addresses alternate. When too many lists wait,
 * the newest list of the address with the most waiting lists gets 503.
 */
export class LargeListQueue {
  private readonly turns: AddressSemaphore;
  private readonly maxWaiting: number;
  /** Abort controllers of the waiting lists by limit key of the address, oldest first. */
  private readonly groups = new Map<string, Set<AbortController>>();
  private waiting = 0;

  constructor({ rendered, waiting }: LargeListLimits) {
    this.turns = new AddressSemaphore(rendered);
    this.maxWaiting = waiting;
  }

  /**
   * Waits for the turn of a request.
   *
   * @returns a function that ends the turn
   * @throws ApiError 999 with 503 when too many lists wait, or the client leaves (D5)
   */
  async acquire({
    addressKey,
    presence,
  }: Pick<RequestContext, 'addressKey' | 'presence'>): Promise<() => void> {
    const free = this.turns.tryAcquire(addressKey);
    if (free) return free;
    const refusal = new AbortController();
    this.add(addressKey, refusal);
    try {
      const signal = AbortSignal.any([refusal.signal, presence.signal()]);
      return await this.turns.acquire(addressKey, signal);
    } catch (error) {
      throw unavailable(error);
    } finally {
      this.remove(addressKey, refusal);
    }
  }

  private add(key: string, refusal: AbortController): void {
    const group = this.groups.get(key) ?? new Set();
    this.groups.set(key, group.add(refusal));
    this.waiting += 1;
    if (this.waiting > this.maxWaiting) this.refuse(key, group);
  }

  /** Refuses the newest list of an address with the most: of this one, if no other has more. */
  private refuse(key: string, group: Set<AbortController>): void {
    let [largest, lists] = [key, group];
    for (const [other, others] of this.groups) {
      if (others.size > lists.size) [largest, lists] = [other, others];
    }
    const newest = [...lists].at(-1) as AbortController;
    this.remove(largest, newest);
    newest.abort(new Error('too many large responses'));
  }

  private remove(key: string, refusal: AbortController): void {
    const group = this.groups.get(key);
    if (!group?.delete(refusal)) return;
    this.waiting -= 1;
    if (group.size === 0) this.groups.delete(key);
  }
}
