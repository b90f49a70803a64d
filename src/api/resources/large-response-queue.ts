import { AddressSemaphore } from '../body/address-semaphore';
import { unavailable } from '../errors/error-codes';
import { type RequestContext } from '../http/request-context';

/** A response of more bytes counts as large. */
export const LARGE_RESPONSE_BYTES = 1_000_000;

/** Limits of {@link LargeResponseQueue}. */
export interface LargeResponseLimits {
  /** Maximum number of responses that have a turn at once: at most half of them for one address. */
  readonly concurrent: number;
  /** Maximum number of responses that wait. They may hold their rows or body in memory. */
  readonly waiting: number;
}

/**
 * Limits how many large responses are rendered, or compressed, at once. Addresses alternate. When
 * too many wait, the queue rejects the newest response of the address with the most that wait.
 */
export class LargeResponseQueue {
  private readonly turns: AddressSemaphore;
  private readonly maxWaiting: number;
  /** Abort controllers of the waiting responses by limit key of the address, oldest first. */
  private readonly groups = new Map<string, Set<AbortController>>();
  private waiting = 0;

  constructor({ concurrent, waiting }: LargeResponseLimits) {
    this.turns = new AddressSemaphore(concurrent);
    this.maxWaiting = waiting;
  }

  /**
   * Waits for the turn of a request.
   *
   * @returns a function that ends the turn
   * @throws ApiError 999 with 503 when too many responses wait, or the client leaves (D5)
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

  /** Refuses the newest response of an address with the most: of this one, if no other has more. */
  private refuse(key: string, group: Set<AbortController>): void {
    let [largest, responses] = [key, group];
    for (const [other, others] of this.groups) {
      if (others.size > responses.size) [largest, responses] = [other, others];
    }
    const newest = [...responses].at(-1) as AbortController;
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
