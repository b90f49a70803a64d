import { randomUUID } from 'node:crypto';
import { type Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskOperations, PICTURES_DISK, type OnLate } from '../api/body/disk-operations';
import { isMissingFile, toFileError } from '../api/errors/file-errors';
import { createDirectory } from '../config/directories';
import { FileStream, readChunk } from './file-stream';
import { parseName } from './picture-names';
import {
  notMounted,
  PictureStorage,
  requireSize,
  resolveRange,
  type ByteRange,
  type ListedFile,
  type StoredFile,
} from './picture-storage';
import { flush } from './flush';

/** Suffix of a file while it is written. */
const UNFINISHED = /\.[0-9a-f-]{36}\.tmp$/;

/** Whether a name is that of a picture file, complete or not. */
const isOurs = (name: string): boolean => parseName(name.replace(UNFINISHED, '')) !== undefined;

/** The name of a subfolder. */
const SUBFOLDER = /^[0-9a-f]{2}$/;

/** @throws Error of the file system, except for a missing folder */
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      if (isMissingFile(error)) return false;
      throw error;
    },
  );

/** A folder and an empty file are no pictures. */
const isPicture = (stats: Stats): boolean => stats.isFile() && stats.size > 0;

/** The names in a folder; none if it is missing. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });

/** An open file, and the part of it to return. */
interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly start: number;
  readonly length: number;
  /** The beginning of the part. */
  readonly beginning: Buffer;
}

/** Stores pictures in a local folder, in subfolders by the first two digits of their names. */
export class DiskStorage extends PictureStorage {
  /** Resolves when all pending subfolders are created. */
  private subfolderQueue: Promise<void> = Promise.resolve();

  /**
   * @param folder absolute path; created with the first picture
   * @param disk limits the operations on the folder, which may hang if it is a network mount
   */
  constructor(
    private readonly folder: string,
    private readonly disk = new DiskOperations(PICTURES_DISK),
  ) {
    super();
  }

  private folderOf(name: string): string {
    return join(this.folder, name.slice(0, 2));
  }

  override placeOf(name: string): string {
    return join(this.folderOf(name), name);
  }

  async put(name: string, bytes: Buffer, mayBeFirst: boolean): Promise<void> {
    try {
      await this.disk.run(() => this.write(name, bytes, mayBeFirst));
    } catch (error) {
      // Also when the folder is missing, or a file.
      throw toFileError(error);
    }
  }

  private async write(name: string, bytes: Buffer, mayBeFirst: boolean): Promise<void> {
    const folder = this.folderOf(name);
    if (mayBeFirst) await createDirectory(folder);
    else if (!(await isFolder(folder))) await this.addSubfolder(folder);
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

  /**
   * Creates a subfolder in the mounted file system. Subfolders are created one at a time: one that
   * is being created below a mount point would count as a mounted file system for the others.
   *
   * @throws ApiError 999 with 503 if it was unmounted, also meanwhile; nothing is left there
   */
  private addSubfolder(folder: string): Promise<void> {
    const added = this.subfolderQueue.then(() => this.createSubfolder(folder));
    this.subfolderQueue = added.catch(() => undefined);
    return added;
  }

  private async createSubfolder(folder: string): Promise<void> {
    const id = await this.readFolderId();
    if (!(await this.hasSubfolders())) throw notMounted();
    try {
      // Not its parents, which are missing if a file system above them was unmounted.
      await mkdir(folder);
    } catch (error) {
      if (isMissingFile(error)) throw notMounted();
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if ((await this.readFolderId()) === id) return;
    await rmdir(folder).catch(() => undefined);
    throw notMounted();
  }

  async get(name: string, range?: ByteRange, stored?: number): Promise<StoredFile | undefined> {
    const file = await this.disk.run(() => this.open(name, range, stored), {
      discard: (opened) => opened?.handle.close() ?? Promise.resolve(),
    });
    if (!file) return undefined;
    const { start, length, size } = file;
    const stream = new FileStream(this.disk, file);
    const end = start + length - 1;
    const whole = { stream, length, size };
    return range ? { ...whole, range: `bytes ${start}-${end}/${size}` } : whole;
  }

  private async open(
    name: string,
    range?: ByteRange,
    stored?: number,
  ): Promise<OpenFile | undefined> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.placeOf(name));
      const stats = await handle.stat();
      if (isPicture(stats)) {
        const { size } = stats;
        requireSize(size, stored);
        const part = range ? resolveRange(range, size) : { start: 0, length: size };
        const beginning = await readChunk(handle, part.start, part.length);
        const file = { handle, size, ...part, beginning };
        handle = undefined;
        return file;
      }
      return undefined;
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    } finally {
      await handle?.close();
    }
  }

  async findSize(name: string, stored?: number): Promise<number | undefined> {
    try {
      const stats = await this.disk.run(() => stat(this.placeOf(name)));
      if (!isPicture(stats)) return undefined;
      requireSize(stats.size, stored);
      return stats.size;
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  async delete(name: string, onLate?: OnLate): Promise<boolean> {
    await this.disk.run(() => rm(this.placeOf(name), { force: true }), onLate && { onLate });
    return true;
  }

  async *list(signal?: AbortSignal): AsyncIterable<ListedFile> {
    const id = await this.findFolderId();
    for (const folder of await this.disk.run(() => namesIn(this.folder))) {
      signal?.throwIfAborted();
      if (!SUBFOLDER.test(folder)) continue;
      const names = await this.unlessMissing(id, () => readdir(join(this.folder, folder)));
      for (const name of names?.filter(isOurs) ?? []) {
        const found = await this.unlessMissing(id, () => stat(this.placeOf(name)));
        if (found) yield { name, modified: found.mtime };
      }
    }
    await this.requireSameFolder(id);
  }

  /**
   * Reads a file or a subfolder that was listed.
   * @param id of the folder when it was listed
   * @returns undefined if it was renamed or removed since
   * @throws ApiError 999 with 503 if it is missing because the folder was unmounted
   */
  private async unlessMissing<T>(
    id: string | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await this.disk.run(work);
    } catch (error) {
      if (!isMissingFile(error)) throw error;
      await this.requireSameFolder(id);
      return undefined;
    }
  }

  override findFolderId(): Promise<string | undefined> {
    return this.disk.run(() => this.readFolderId());
  }

  private async readFolderId(): Promise<string | undefined> {
    try {
      // Inodes of network file systems can exceed the exact integers of a number.
      const { dev, ino } = await stat(this.folder, { bigint: true });
      return `${dev}:${ino}`;
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  /** Subfolders stay when their pictures are deleted. */
  override async mayBeUnmounted(): Promise<boolean> {
    return !(await this.disk.run(() => this.hasSubfolders()));
  }

  override async markMounted(): Promise<void> {
    try {
      await this.disk.run(() => createDirectory(this.folderOf('00')));
    } catch (error) {
      throw toFileError(error);
    }
  }

  private async hasSubfolders(): Promise<boolean> {
    return (await namesIn(this.folder)).some((name) => SUBFOLDER.test(name));
  }
}
