/**
 * Refreshes an in-memory copy of a table. A read that started earlier may finish later with older
 * rows; such rows are discarded.
 */
export class StaleReadGuard<T> {
  /** Number of started reads. */
  private started = 0;
  /** Number of the latest applied read. */
  private applied = 0;

  /**
   * @param read reads the table
   * @param apply keeps what was read, and must not fail
   */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly apply: (result: T) => void,
  ) {}

  /** Reads the table. @throws what `read` throws */
  async refresh(): Promise<T> {
    this.started += 1;
    const sequence = this.started;
    const result = await this.read();
    if (sequence < this.applied) return result;
    this.applied = sequence;
    this.apply(result);
    return result;
  }
}
