/** Initial capacity in bytes. The buffer shrinks back to it after a long text. */
const INITIAL = 65_536;

/**
 * A growing byte buffer. Its capacity doubles, so appending takes linear time for chunks of any
 * size and wastes at most half of the memory.
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

  /** The buffered bytes as a view, which is valid until the next `append` or `clear`. */
  view(): Buffer {
    return this.bytes.subarray(0, this.used);
  }

  clear(): void {
    this.used = 0;
    if (this.bytes.length > INITIAL) this.bytes = Buffer.allocUnsafeSlow(INITIAL);
  }
}
