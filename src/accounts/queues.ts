import { digestOfKey } from '../limits/counter-key';

/**
 * Lets work on one thing be done one after the other, in this process. What waits is bounded by the
 * requests under way; keys are digests, whatever callers send.
 */
export class Queues {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Does work when all that was given for the same key before is done, however it ended. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = digestOfKey(name);
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
