import { type BudgetUse } from './byte-budget';
import { type Spooled } from './spool';

/** Bytes of the files of a request that are in memory because they are not written yet. */
export class PendingBytes {
  private bytes = 0;

  /** @param use the caller closes it at the end of the request */
  constructor(private readonly use: BudgetUse) {}

  /** Adds bytes. @returns false if the budget has no room for them */
  add(bytes: number): boolean {
    this.bytes += bytes;
    return this.use.growTo(this.bytes);
  }

  /** Removes bytes that are written. */
  remove(bytes: number): void {
    this.bytes -= bytes;
    if (this.bytes === 0) this.use.release();
  }
}

/**
 * Writes the chunks of a file to a spool. While a write waits for its turn on the disk, it collects the
 * next chunks, because many requests may wait: a file of 1 MB has 16 chunks, and would wait 16 times.
 */
export class BatchedWrites {
  private chunks: Buffer[] = [];
  private writing: Promise<void> | undefined;
  private hasFailed = false;

  constructor(
    private readonly content: Spooled,
    private readonly pending: PendingBytes,
  ) {}

  /**
   * Adds a chunk. It waits for writes if the budget has no room.
   * @throws ApiError 999 with 503 when the disk is nearly full, fails or hangs
   */
  async add(chunk: Buffer): Promise<void> {
    if (this.hasFailed) await this.end();
    this.chunks.push(chunk);
    const hasRoom = this.pending.add(chunk.length);
    if (!this.writing) this.start();
    if (!hasRoom) await this.end();
  }

  /** Waits until all chunks are written. @throws ApiError like {@link add} */
  async end(): Promise<void> {
    await this.writing;
  }

  private start(): void {
    this.writing = this.writeAll();
    // The next wait reports the error.
    this.writing.catch(() => {
      this.hasFailed = true;
    });
  }

  private async writeAll(): Promise<void> {
    while (this.chunks.length > 0) {
      const bytes = this.takeBatch();
      await this.content.append(bytes);
      this.pending.remove(bytes.length);
    }
    this.writing = undefined;
  }

  /** Its own function, so that no chunks stay in memory beside their copy while it is written. */
  private takeBatch(): Buffer {
    const batch = this.chunks.splice(0);
    return batch.length === 1 ? (batch[0] as Buffer) : Buffer.concat(batch);
  }
}
