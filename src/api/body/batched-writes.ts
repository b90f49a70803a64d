import { type BudgetUse } from './byte-budget';
import { type Spooled } from './spool';

/**
 * Writes the chunks of a file to a spool. While a write waits for its turn on the disk, it collects the
 * next chunks, because many requests may wait: a file of 1 MB has 16 chunks, and would wait 16 times.
 */
export class BatchedWrites {
  private chunks: Buffer[] = [];
  /** Bytes that are not written. */
  private pendingBytes = 0;
  private writing: Promise<void> | undefined;
  private hasFailed = false;

  /** @param pending for chunks that are collected; the caller releases it in the end, too */
  constructor(
    private readonly content: Spooled,
    private readonly pending: BudgetUse,
  ) {}

  /**
   * Adds a chunk. It waits for writes if the budget has no room.
   * @throws ApiError 999 with 503 when the disk is nearly full, fails or hangs
   */
  async add(chunk: Buffer): Promise<void> {
    this.chunks.push(chunk);
    this.pendingBytes += chunk.length;
    this.writing ??= this.writeAll();
    // The next wait reports the error.
    this.writing.catch(() => {
      this.hasFailed = true;
    });
    if (this.hasFailed || !this.pending.growTo(this.pendingBytes)) await this.end();
  }

  /** Waits until all chunks are written. @throws ApiError like {@link add} */
  async end(): Promise<void> {
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.chunks.length > 0) {
      const batch = this.chunks.splice(0);
      const bytes = batch.length === 1 ? (batch[0] as Buffer) : Buffer.concat(batch);
      await this.content.append(bytes);
      this.pendingBytes -= bytes.length;
    }
    this.pending.release();
    this.writing = undefined;
  }
}
