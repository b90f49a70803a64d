/** Capacity that a buffer begins with, and returns to after a long text, in bytes. */
const INITIAL = 65_536;

/**
 * Bytes that are collected piece by piece. Its capacity doubles, so that collecting takes linear
 * time however small the pieces are, and at most twice the bytes that it holds.
 */
export class ByteBuffer {
  private bytes = Buffer.allocUnsafeSlow(INITIAL);
  private used = 0;

  get length(): number {
    return this.used;
  }

  append(source: Buffer, from = 0, to = source.length): void {
    const needed = this.used + to - from;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
    }
    source.copy(this.bytes, this.used, from, to);
    this.used = needed;
  }

  /** What was collected: a view, valid until the next `append` or `clear`. */
  view(): Buffer {
    return this.bytes.subarray(0, this.used);
  }

  clear(): void {
    this.used = 0;
    if (this.bytes.length > INITIAL) this.bytes = Buffer.allocUnsafeSlow(INITIAL);
  }
}
