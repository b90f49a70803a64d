/**
 * The order in which work would end if addresses shared a capacity equally (weighted fair queuing).
 * Times and costs have the same unit, which may be any.
 */
export class VirtualTime {
  /** The cost of all parts that have begun, shared by the addresses of their time. */
  private now = 0;
  /**
   * By address: the virtual end of its last work, if that is in the future. Further work begins there,
   * so that requests one after the other have no larger share than requests at once.
   */
  private readonly ends = new Map<string, number>();

  /** Adds work of an address. @returns its virtual end: work with the lowest one comes first */
  add(address: string, cost: number): number {
    for (const [other, end] of this.ends) if (end <= this.now) this.ends.delete(other);
    const end = Math.max(this.now, this.ends.get(address) ?? 0) + cost;
    this.ends.set(address, end);
    return end;
  }

  /**
   * A part begins. The time is at least its virtual beginning: an address that gets more than its
   * share while others need less must not wait for it later (self-clocked fair queuing).
   *
   * @param beginning the virtual end of its work, less the cost of the parts that have not begun
   * @param addresses number of addresses with running or waiting work
   */
  begin(beginning: number, cost: number, addresses: number): void {
    this.now = Math.max(this.now + cost / addresses, beginning);
  }

  /**
   * Reduces the virtual end of an address by what its ended work has not used.
   * @param end the virtual end of the work
   */
  giveBack(address: string, end: number, unused: number): void {
    const last = this.ends.get(address);
    // Not what is in the virtual past: later work did not begin after it.
    const future = Math.min(unused, end - this.now);
    if (last !== undefined && future > 0) this.ends.set(address, last - future);
  }

  /** Forgets the ends. While no work waits, nobody waits for a share. */
  clear(): void {
    this.ends.clear();
  }
}
