import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '../api/errors/error-codes';
import { createDirectory } from '../config/directories';
import { parseName } from './picture-names';
import {
  PictureStorage,
  type ByteRange,
  type ListedFile,
  type StoredFile,
} from './picture-storage';
import { flush } from './flush';

/** Suffix of a file while it is written. */
const UNFINISHED = /\.[0-9a-f-]{36}\.tmp$/;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Whether files cannot be written now, but may be later: the disk or the quota is full, or it is read-only. */
const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Whether a name is that of a picture file, complete or not. */
const isOurs = (name: string): boolean => parseName(name.replace(UNFINISHED, '')) !== undefined;

/** Stores pictures in a local folder, in subfolders by the first two digits of their names. */
export class DiskStorage extends PictureStorage {
  /** @param folder absolute path; created with the first picture */
  constructor(private readonly folder: string) {
    super();
  }

  private folderOf(name: string): string {
    return join(this.folder, name.slice(0, 2));
  }

  override placeOf(name: string): string {
    return join(this.folderOf(name), name);
  }

  /** @throws ApiError 999 with 503 when the disk is full or read-only */
  async put(name: string, bytes: Buffer): Promise<void> {
    try {
      await this.write(name, bytes);
    } catch (error) {
      throw isNoSpace(error) ? unavailable(error) : error;
    }
  }

  private async write(name: string, bytes: Buffer): Promise<void> {
    const folder = this.folderOf(name);
    await createDirectory(folder);
    // The rename ensures that a file with its final name is complete, even after a crash.
    const unfinished = join(folder, `${name}.${randomUUID()}.tmp`);
    try {
      const handle = await open(unfinished, 'wx');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, this.placeOf(name));
    } catch (error) {
      // The error of the write is the one to report.
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
    await flush(folder);
  }

  async get(name: string, range?: ByteRange): Promise<StoredFile | undefined> {
    try {
      const handle = await open(this.placeOf(name));
      const { size } = await handle.stat();
      if (!range || range.start >= size) {
        return { stream: handle.createReadStream(), length: size };
      }
      const end = Math.min(range.end ?? size - 1, size - 1);
      return {
        stream: handle.createReadStream({ start: range.start, end }),
        length: end - range.start + 1,
        range: `bytes ${range.start}-${end}/${size}`,
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    await rm(this.placeOf(name), { force: true });
  }

  async *list(signal?: AbortSignal): AsyncIterable<ListedFile> {
    for (const folder of await this.namesIn(this.folder)) {
      signal?.throwIfAborted();
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const name of (await this.namesIn(join(this.folder, folder))).filter(isOurs)) {
        const found = await stat(this.placeOf(name)).catch((error: unknown) => {
          // The file was renamed or removed after the folder was read.
          if (isMissing(error)) return undefined;
          throw error;
        });
        if (found) yield { name, modified: found.mtime };
      }
    }
  }

  private async namesIn(folder: string): Promise<string[]> {
    try {
      return await readdir(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}
