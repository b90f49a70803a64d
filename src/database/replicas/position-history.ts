/** Positions of the primary, each with the time before it was read. */
export class PositionHistory {
  private readonly entries: { readonly at: number; readonly position: number }[] = [];

  /** @param spanMs milliseconds for which positions are kept */
  constructor(private readonly spanMs: number) {}

  get latest(): { readonly at: number; readonly position: number } | undefined {
    return this.entries.at(-1);
  }

  add(at: number, position: number): void {
    this.entries.push({ at, position });
    while ((this.entries[0]?.at ?? Infinity) < at - this.spanMs) this.entries.shift();
  }

  clear(): void {
    this.entries.length = 0;
  }

  /** The first position that was read at a time or later; undefined when none was. */
  positionSince(at: number): number | undefined {
    return this.entries.find((entry) => entry.at >= at)?.position;
  }

  /**
   * The latest time at which a server with this position certainly had all data: everything that was
   * committed before the time lies before the position. Undefined when that is before the span.
   */
  currentAt(position: number): number | undefined {
    return this.entries.findLast((entry) => entry.position <= position)?.at;
  }
}
