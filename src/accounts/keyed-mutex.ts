import { unavailable } from '../api/errors/errors';
import { digestOfKey } from '../limits/counter-key';

/**
 * Lets work on one thing be done one after the other, in this process. What waits is bounded; keys
 * are digests, whatever callers send.
 */
export class KeyedMutex {
  private readonly last = new Map<string, { readonly done: Promise<unknown>; length: number }>();

  /** @param longest number of works that one key may have under way, with those that wait */
  constructor(private readonly longest: number) {}

  /**
   * Does work when all that was given for the same key before is done, however it ended.
   *
   * @throws ApiError 999 with 503 when too much waits for the key
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = digestOfKey(name);
    const before = this.last.get(key);
    const length = before?.length ?? 0;
    if (length >= this.longest) throw unavailable(new Error('too many sign-ins of one user wait'));
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
