import { statfs } from 'node:fs/promises';

/** Bytes that stay free on the disk, because a database may use it too. */
const FREE_BYTES = 200 * 1024 * 1024;

/** Free space is measured again after this number of bytes, because others write to the disk, too. */
const CHECK_BYTES = 4 * 1024 * 1024;

/**
 * Keeps {@link FREE_BYTES} free on the disk of a folder. It counts the bytes that the process writes,
 * so that many small files together do not use more than is free between two measurements.
 */
export class FreeSpace {
  /** Bytes taken since the process started, and those of them whose write has ended. */
  private taken = 0;
  private ended = 0;
  /** Values of `taken` that the disk permits, and at which it is measured again. */
  private limit = 0;
  private measureAt = 0;
  private measuring: Promise<void> | undefined;

  /**
   * @param path a folder that exists at the first call
   * @param run runs an operation on its disk
   */
  constructor(
    private readonly path: string,
    private readonly run: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /**
   * Measures the free space. Bytes whose write may not have ended by then count as not written, unless
   * it hangs.
   *
   * @throws Error if the disk is nearly full, or of the file system
   */
  async measure(): Promise<void> {
    const { ended } = this;
    const { bavail, bsize } = await statfs(this.path);
    this.limit = ended + bavail * bsize - FREE_BYTES;
    this.measureAt = this.taken + CHECK_BYTES;
    this.checkRoom(0);
  }

  /**
   * Runs a write of some bytes if the disk has room for them.
   *
   * @throws Error if the disk is nearly full; the error of a measurement, or of the write
   */
  async use<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    while (this.taken + bytes > Math.min(this.limit, this.measureAt)) {
      await this.measureOnce();
      this.checkRoom(bytes);
      if (bytes > CHECK_BYTES) break;
    }
    this.taken += bytes;
    try {
      return await write();
    } finally {
      this.ended += bytes;
    }
  }

  /** Writes that wait for a measurement wait for the same one. */
  private measureOnce(): Promise<void> {
    this.measuring ??= this.run(() => this.measure()).finally(() => {
      this.measuring = undefined;
    });
    return this.measuring;
  }

  private checkRoom(bytes: number): void {
    if (this.taken + bytes <= this.limit) return;
    throw new Error(`the disk of ${this.path} is almost full`);
  }
}
