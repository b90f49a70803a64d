import { unavailable } from '../errors/error-codes';
import { SMALL_BODY_BYTES } from '../http/request-memory';
import { type BudgetUse } from './byte-budget';
import { type Spool, Spooled } from './spool';

/**
 * The bytes of one body while it arrives: in memory as long as the budget has room, otherwise on
 * disk. The budget counts the memory beyond {@link SMALL_BODY_BYTES}.
 *
 * The chunks are copied into one buffer. Thousands of small buffers leave gaps in the memory of the
 * process when they are freed, and it stays as large as it was.
 */
export class ReceivedBody {
  private held: Buffer = Buffer.alloc(0);
  /** Bytes of `held` that are in use. */
  private filled = 0;
  private onDisk: Spooled | undefined;

  /**
   * @param memory the caller releases the budgets when it no longer needs the body
   * @param pendingWrites for data in memory that waits to be written to the spool
   * @param disk for what is in the spool
   * @param contentLength its size, if the request states it
   */
  constructor(
    private readonly memory: BudgetUse,
    private readonly pendingWrites: BudgetUse,
    private readonly disk: BudgetUse,
    private readonly spool: Spool,
    private readonly contentLength = Infinity,
  ) {}

  /** Number of bytes so far. */
  get size(): number {
    return this.filled + (this.onDisk?.size ?? 0);
  }

  /**
   * Adds the next chunk.
   *
   * @returns undefined, or a promise that must be fulfilled before the next call. It rejects with
   *   ApiError 999 and status 503 when the disk or a budget is full, or the disk fails or hangs.
   */
  append(chunk: Buffer): Promise<void> | undefined {
    return this.hold(chunk) ? undefined : this.write(chunk);
  }

  /** Keeps a chunk in memory. @returns false if there is no room */
  private hold(chunk: Buffer): boolean {
    const needed = this.filled + chunk.length;
    if (needed > this.held.length) {
      // Most bodies have a single chunk, which is not copied.
      const isFirst = this.filled === 0;
      const doubled = Math.min(2 * this.held.length, this.contentLength);
      const size = isFirst ? needed : Math.max(needed, doubled);
      if (!this.reserve(size)) return false;
      if (isFirst) {
        this.held = chunk;
        this.filled = needed;
        return true;
      }
      const { held } = this;
      this.held = Buffer.allocUnsafeSlow(size);
      held.copy(this.held, 0, 0, this.filled);
    }
    chunk.copy(this.held, this.filled);
    this.filled = needed;
    return true;
  }

  /** Takes the bytes for a buffer of a size from the budget. @returns false if it has no room */
  private reserve(size: number): boolean {
    const counted = size - SMALL_BODY_BYTES;
    if (counted <= 0) return true;
    // What is on disk stays there: the body waits for a turn to be read.
    return this.onDisk === undefined && this.memory.growTo(counted);
  }

  /** Writes what is in memory, and a chunk. */
  private async write(chunk: Buffer): Promise<void> {
    this.reserveOnDisk(this.size + chunk.length);
    // The budget of the memory does not count them.
    const uncounted = Math.min(this.filled, SMALL_BODY_BYTES);
    if (!this.pendingWrites.growTo(uncounted + chunk.length)) throw unavailable(undefined);
    this.onDisk ??= new Spooled(this.spool);
    const { held, filled } = this;
    this.discard();
    await this.onDisk.append(held.subarray(0, filled));
    await this.onDisk.append(chunk);
    this.memory.release();
    this.pendingWrites.release();
  }

  private reserveOnDisk(size: number): void {
    if (!this.disk.growTo(size)) throw unavailable(undefined);
  }

  /** Frees what is in memory. */
  discard(): void {
    this.held = Buffer.alloc(0);
    this.filled = 0;
  }

  /**
   * The complete body, in memory.
   *
   * @throws ApiError 999 with 503 when the disk or its budget is full, or the disk fails or hangs
   */
  async bytes(): Promise<Buffer> {
    const held = this.held.subarray(0, this.filled);
    if (!this.onDisk) return held;
    this.reserveOnDisk(this.size);
    await this.onDisk.append(held);
    this.filled = 0;
    return this.onDisk.read();
  }
}
