/** Work that {@link VirtualTime} orders. */
export interface VirtualWork {
  readonly address: string;
  /** When it would end. */
  readonly end: number;
  /** Works of earlier periods count for nothing. */
  readonly period: number;
}

/**
 * The order in which work would end if addresses shared a capacity equally (weighted fair queuing).
 * Times and costs have the same unit, which may be any.
 */
export class VirtualTime {
  /** The cost of all parts that have begun, shared by their addresses; see {@link startPart}. */
  private now = 0;
  /** Number of times that no work waited, and the ends were forgotten. */
  private period = 0;
  /**
   * By address: the virtual end of its last work, if that is in the future. Further work begins there,
   * so that requests one after the other have no larger share than requests at once.
   */
  private readonly ends = new Map<string, number>();

  /**
   * Adds work of an address. Work with the lowest end comes first.
   * @param isCompeting whether other work waits; otherwise earlier work counts for nothing
   */
  add(address: string, cost: number, isCompeting: boolean): VirtualWork {
    if (!isCompeting) this.clear();
    for (const [other, end] of this.ends) if (end <= this.now) this.ends.delete(other);
    const end = Math.max(this.now, this.ends.get(address) ?? 0) + cost;
    this.ends.set(address, end);
    return { address, end, period: this.period };
  }

  /**
   * A part of work begins. The time is at least its virtual start: an address that gets more than its
   * share while others need less must not wait for it later (self-clocked fair queuing).
   *
   * @param left cost of the parts that have not begun, with this one
   * @param addresses number of addresses with running or waiting work
   */
  startPart({ end }: VirtualWork, cost: number, left: number, addresses: number): void {
    this.now = Math.max(this.now + cost / addresses, end - left);
  }

  /**
   * Reduces the virtual end of an address by the unused cost of its work, unless the work counts for
   * nothing any more.
   */
  giveBack({ address, end, period }: VirtualWork, unused: number): void {
    const last = period === this.period ? this.ends.get(address) : undefined;
    // Not what is in the virtual past: later work did not begin after it.
    const future = Math.min(unused, end - this.now);
    if (last !== undefined && future > 0) this.ends.set(address, last - future);
  }

  private clear(): void {
    this.ends.clear();
    this.period += 1;
  }
}
