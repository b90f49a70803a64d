/** Bytes of memory or disk that requests share. One address has at most a part of them. */
export class ByteBudget {
  private used = 0;
  private readonly ofAddresses = new Map<string, number>();

  /**
   * @param capacity bytes for all addresses
   * @param share bytes for one address
   */
  constructor(
    private readonly capacity: number,
    private readonly share: number,
  ) {}

  /**
   * Takes bytes if they are free.
   *
   * @param address limit key of the client's address
   * @returns whether they were free
   */
  tryTake(address: string, bytes: number): boolean {
    const ofAddress = this.usedBy(address) + bytes;
    if (this.used + bytes > this.capacity || ofAddress > this.share) return false;
    this.used += bytes;
    this.ofAddresses.set(address, ofAddress);
    return true;
  }

  /** Returns bytes that were taken. */
  giveBack(address: string, bytes: number): void {
    const ofAddress = this.usedBy(address) - bytes;
    this.used -= bytes;
    if (ofAddress > 0) this.ofAddresses.set(address, ofAddress);
    else this.ofAddresses.delete(address);
  }

  private usedBy(address: string): number {
    return this.ofAddresses.get(address) ?? 0;
  }

  /** Number of addresses that use bytes. */
  get size(): number {
    return this.ofAddresses.size;
  }
}

/** The bytes that one request uses of a budget. */
export class BudgetUse {
  private taken = 0;
  private isClosed = false;

  /** @param address limit key of the client's address */
  constructor(
    private readonly budget: ByteBudget,
    private readonly address: string,
  ) {}

  /** Uses up to a number of bytes. @returns false if they are not free */
  growTo(bytes: number): boolean {
    const more = bytes - this.taken;
    if (more <= 0) return true;
    if (this.isClosed || !this.budget.tryTake(this.address, more)) return false;
    this.taken = bytes;
    return true;
  }

  /** Returns the bytes. Idempotent. */
  release(): void {
    if (this.taken > 0) this.budget.giveBack(this.address, this.taken);
    this.taken = 0;
  }

  /** Returns the bytes at the end of the request, of which parts may still run. Idempotent. */
  close(): void {
    this.release();
    this.isClosed = true;
  }
}
