import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createDirectory } from '../../config/directories';
import { ApiError, unavailable } from '../errors/error-codes';
import { DiskOperations, UPLOADS_DISK } from './disk-operations';
import { FreeSpace } from './free-space';

/** A range of bytes in a spool. */
interface Extent {
  readonly start: number;
  length: number;
}

/** The content of one file in a spool; its ranges may be interleaved with others. */
export class Spooled {
  private readonly extents: Extent[] = [];
  size = 0;

  constructor(private readonly spool: Spool) {}

  /** @throws ApiError 999 with 503 when the disk is nearly full, fails or hangs */
  async append(chunk: Buffer): Promise<void> {
    const start = await this.spool.write(chunk);
    const last = this.extents.at(-1);
    if (last && last.start + last.length === start) last.length += chunk.length;
    else this.extents.push({ start, length: chunk.length });
    this.size += chunk.length;
  }

  /** Writes another file to the same spool. @throws ApiError like {@link append} */
  async addFile(bytes: Buffer): Promise<Spooled> {
    const other = new Spooled(this.spool);
    await other.append(bytes);
    return other;
  }

  /** Reads the content into memory. @throws ApiError 999 with 503 when the disk fails or hangs */
  async read(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(this.size);
    let at = 0;
    for (const { start, length } of this.extents) {
      await this.spool.readInto(bytes.subarray(at, at + length), start);
      at += length;
    }
    return bytes;
  }
}

/** A folder for spools. */
export class SpoolFolder {
  /** Of all its spools. */
  readonly space: FreeSpace;

  /**
   * @param path is created when it does not exist
   * @param disk limits the operations on the folder, which may hang if it is a network mount
   */
  constructor(
    readonly path: string,
    readonly disk = new DiskOperations(UPLOADS_DISK),
  ) {
    this.space = new FreeSpace(path, (work) => disk.run(work));
  }
}

/**
 * Keeps the files of one request on disk until they are complete, so that slow clients occupy no
 * memory. The spool file is unlinked, so the system removes it however the process ends.
 */
export class Spool {
  private file: Promise<FileHandle> | undefined;
  private end = 0;
  private closed = false;
  /** Ends the waits for turns on the disk when the spool is closed. */
  private closing: AbortController | undefined;

  /** @param address limit key of the address of the client that sends the files */
  constructor(
    private readonly folder: SpoolFolder,
    private readonly address = '',
  ) {}

  /** Made on first use, because most requests use no spool. */
  private get signal(): AbortSignal {
    if (!this.closing) {
      this.closing = new AbortController();
      // Each operation that waits adds one.
      setMaxListeners(0, this.closing.signal);
    }
    return this.closing.signal;
  }

  private async create(): Promise<FileHandle> {
    await createDirectory(this.folder.path, 0o700);
    await this.folder.space.measure();
    const path = join(this.folder.path, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  }

  /**
   * Writes bytes.
   * @returns their offset
   * @throws ApiError 999 with 503 when the disk is nearly full, fails or hangs
   */
  async write(chunk: Buffer): Promise<number> {
    const { disk, space } = this.folder;
    // Reserves the range before the first await: several parts may be written at once.
    const start = this.end;
    this.end += chunk.length;
    if (this.closed) throw new Error('the spool is closed');
    const { address, signal } = this;
    const options = { address, signal };
    try {
      this.file ??= disk.run(() => this.create(), {
        ...options,
        discard: (file) => file.close(),
      });
      const file = await this.file;
      await space.use(chunk.length, async () => {
        for (let done = 0; done < chunk.length;) {
          const { bytesWritten } = await disk.run(
            () => file.write(chunk, done, chunk.length - done, start + done),
            options,
          );
          done += bytesWritten;
        }
      });
    } catch (error) {
      throw error instanceof ApiError ? error : unavailable(error);
    }
    return start;
  }

  /**
   * Fills a buffer with the bytes from an offset.
   * @throws ApiError 999 with 503 when the disk fails or hangs
   */
  async readInto(bytes: Buffer, start: number): Promise<void> {
    const file = await this.file;
    if (!file) throw unavailable(new Error('the spool is closed'));
    for (let done = 0; done < bytes.length;) {
      const left = bytes.length - done;
      const { bytesRead } = await this.folder.disk.run(
        () => file.read(bytes, done, left, start + done),
        { address: this.address, signal: this.signal },
      );
      if (bytesRead === 0) throw unavailable(new Error('the spool ends early'));
      done += bytesRead;
    }
  }

  /**
   * Frees the disk space. The caller does not wait for it, because the disk may hang.
   * @param onFreed called when the space is free, at once if nothing was written
   */
  close(onFreed: () => void = () => undefined): void {
    this.closed = true;
    const { file } = this;
    // Otherwise data that waits to be written stays in memory.
    this.closing?.abort(unavailable(new Error('the spool is closed')));
    this.file = undefined;
    if (!file) {
      onFreed();
      return;
    }
    void file
      .then(
        (opened) => this.folder.disk.runWithoutTimeout(() => opened.close(), this.address),
        // It was not opened, or it is closed when it is.
        () => undefined,
      )
      .then(onFreed);
  }
}
