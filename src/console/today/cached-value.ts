import { detached } from '../../api/http/current-request';

/**
 * Caches the result of a read for a fixed time, so that reloads by several administrators do not
 * repeat expensive statements. A read belongs to no request: others wait for it, too.
 */
export class CachedValue<T> {
  private result: Promise<T> | undefined;
  private readAt = -Infinity;

  constructor(
    private readonly ttlMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  /** @throws errors of the read, which are not cached */
  get(): Promise<T> {
    if (this.result && performance.now() - this.readAt < this.ttlMs) return this.result;
    const result = detached(() => this.read());
    this.result = result;
    this.readAt = performance.now();
    result.catch(() => {
      if (this.result === result) this.result = undefined;
    });
    return result;
  }
}
