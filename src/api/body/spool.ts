import { randomUUID } from 'node:crypto';
import { open, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createDirectory } from '../../config/directories';
import { unavailable } from '../errors/errors';

/** Bytes that must stay free on the disk: a database may be on it. */
const FREE_BYTES = 200 * 1024 * 1024;

/** A run of bytes in a spool. */
interface Extent {
  readonly start: number;
  length: number;
}

/** Bytes that were appended to a spool, wherever they are in it. */
export class Spooled {
  private readonly extents: Extent[] = [];
  size = 0;

  constructor(private readonly spool: Spool) {}

  /** @throws ApiError 999 with 503 when there is no room for it */
  async append(chunk: Buffer): Promise<void> {
    const start = await this.spool.write(chunk);
    const last = this.extents.at(-1);
    if (last && last.start + last.length === start) last.length += chunk.length;
    else this.extents.push({ start, length: chunk.length });
    this.size += chunk.length;
  }

  /** All of them, in memory. */
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
 * What one request sends, on disk until it is there as a whole: a slow sender holds no memory. The
 * file has no name, so that nothing is left of it however the process ends.
 */
export class Spool {
  private file: Promise<FileHandle> | undefined;
  private end = 0;
  private closed = false;

  /** @param folder is made when it is not there */
  constructor(private readonly folder: string) {}

  private async create(): Promise<FileHandle> {
    await createDirectory(this.folder, 0o700);
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < FREE_BYTES) throw new Error(`the disk of ${this.folder} is nearly full`);
    const path = join(this.folder, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  }

  /** Writes bytes. @returns where they begin @throws ApiError 999 with 503 when there is no room */
  async write(chunk: Buffer): Promise<number> {
    // The place is taken before anything is waited for: several parts may be written at once.
    const start = this.end;
    this.end += chunk.length;
    if (this.closed) throw new Error('the spool is closed');
    try {
      this.file ??= this.create();
      const file = await this.file;
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, start + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw unavailable(error);
    }
    return start;
  }

  /** Fills a buffer with what begins at a place. */
  async readInto(bytes: Buffer, start: number): Promise<void> {
    const file = await this.file;
    for (let done = 0; done < bytes.length;) {
      const left = bytes.length - done;
      const { bytesRead } = (await file?.read(bytes, done, left, start + done)) ?? { bytesRead: 0 };
      if (bytesRead === 0) throw new Error('the spool ends early');
      done += bytesRead;
    }
  }

  /** Gives the disk's space back. */
  async close(): Promise<void> {
    this.closed = true;
    const file = await this.file?.catch(() => undefined);
    this.file = undefined;
    await file?.close();
  }
}
