import { randomUUID } from 'node:crypto';
import { open, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createDirectory } from '../../config/directories';
import { unavailable } from '../errors/error-codes';

/** Bytes that stay free on the disk, because a database may use it too. */
const FREE_BYTES = 200 * 1024 * 1024;

/** Bytes after which the free space is checked again: many uploads may arrive at once. */
const CHECK_BYTES = 4 * 1024 * 1024;

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

  /** @throws ApiError 999 with 503 when the disk is nearly full */
  async append(chunk: Buffer): Promise<void> {
    const start = await this.spool.write(chunk);
    const last = this.extents.at(-1);
    if (last && last.start + last.length === start) last.length += chunk.length;
    else this.extents.push({ start, length: chunk.length });
    this.size += chunk.length;
  }

  /** Reads the content into memory. */
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

/**
 * Keeps the files of one request on disk until they are complete, so that slow clients occupy no
 * memory. The spool file is unlinked, so the system removes it however the process ends.
 */
export class Spool {
  private file: Promise<FileHandle> | undefined;
  private end = 0;
  /** Value of `end` at which the free space is checked next. */
  private checkAt = CHECK_BYTES;
  private closed = false;

  /** @param folder is created when it does not exist */
  constructor(private readonly folder: string) {}

  private async create(): Promise<FileHandle> {
    await createDirectory(this.folder, 0o700);
    await this.checkSpace();
    const path = join(this.folder, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  }

  private async checkSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < FREE_BYTES) throw new Error(`the disk of ${this.folder} is almost full`);
  }

  /** Writes bytes. @returns their offset @throws ApiError 999 with 503 for a nearly full disk */
  async write(chunk: Buffer): Promise<number> {
    // Reserves the range before the first await: several parts may be written at once.
    const start = this.end;
    this.end += chunk.length;
    if (this.closed) throw new Error('the spool is closed');
    try {
      this.file ??= this.create();
      const file = await this.file;
      if (this.end >= this.checkAt) {
        this.checkAt = this.end + CHECK_BYTES;
        await this.checkSpace();
      }
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, start + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw unavailable(error);
    }
    return start;
  }

  /**
   * Fills a buffer with the bytes from an offset.
   * @throws Error of the file system; ApiError 503
   */
  async readInto(bytes: Buffer, start: number): Promise<void> {
    const file = await this.file;
    for (let done = 0; done < bytes.length;) {
      const left = bytes.length - done;
      const { bytesRead } = (await file?.read(bytes, done, left, start + done)) ?? { bytesRead: 0 };
      if (bytesRead === 0) throw unavailable(new Error('the spool ends early'));
      done += bytesRead;
    }
  }

  /** Frees the disk space. */
  async close(): Promise<void> {
    this.closed = true;
    const file = await this.file?.catch(() => undefined);
    this.file = undefined;
    await file?.close();
  }
}
