import { detached } from '../api/http/current-request';

/** A value that is read again when it is older than `maxAge` milliseconds. Callers share one read. */
export class Refreshed<T> {
  private pending: Promise<T> | undefined;
  private current: { readonly value: T; readonly until: number } | undefined;

  /** @param isKept whether a value is kept at all: an empty catalogue may be filled at any moment */
  constructor(
    private readonly maxAge: number,
    private readonly read: () => Promise<T>,
    private readonly isKept: (value: T) => boolean,
  ) {}

  get(): Promise<T> {
    if (this.current && this.current.until > performance.now())
      return Promise.resolve(this.current.value);
    this.pending ??= detached(() => this.refresh()).finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async refresh(): Promise<T> {
    const value = await this.read();
    const until = performance.now() + (this.isKept(value) ? this.maxAge : 0);
    this.current = { value, until };
    return value;
  }
}
