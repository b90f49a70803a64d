import { unavailable } from '../api/errors/error-codes';
import { digestOfKey } from '../limits/counter-key';

/**
 * Serializes work with the same key in this process. The queue of each key is bounded. Keys are
 * digests, because they contain caller input.
 */
export class KeyedMutex {
  private readonly last = new Map<string, { readonly done: Promise<unknown>; length: number }>();

  /** @param maxQueueLength maximum number of running and waiting functions with the same key */
  constructor(private readonly maxQueueLength: number) {}

  /**
   * Runs work after all earlier work with the same key has ended, also with errors.
   *
   * @throws ApiError 999 with 503 when the queue of the key is full
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = digestOfKey(name);
    const before = this.last.get(key);
    const length = before?.length ?? 0;
    if (length >= this.maxQueueLength)
      throw unavailable(new Error('too many sign-ins of one user are waiting'));
    const mine = (before?.done ?? Promise.resolve()).then(work, work);
    const entry = { done: mine, length: length + 1 };
    this.last.set(key, entry);
    try {
      return await mine;
    } finally {
      const last = this.last.get(key);
      if (last === entry) this.last.delete(key);
      else if (last) last.length -= 1;
    }
  }
}
