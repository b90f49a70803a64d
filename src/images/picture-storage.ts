import { type Readable } from 'node:stream';
import { type OnLate } from '../api/body/disk-operations';
import { ApiError, unavailable } from '../api/errors/error-codes';

/**
 * A byte range: from `start` to `end`, both inclusive; from `start` to the end of the file; or the
 * `last` bytes of the file.
 */
export type ByteRange =
  { readonly start: number; readonly end?: number | undefined } | { readonly last: number };

/**
 * The error 999 with 416 for a range without any byte of the file.
 * @param size of the file in bytes
 */
export const unsatisfiable = (size: number): ApiError =>
  new ApiError('unknown', {
    status: 416,
    headers: { 'Content-Range': `bytes */${size}` },
    detail: 'the requested byte range is outside of the picture',
  });

/**
 * The first byte and the length of a range.
 * @throws ApiError 416 when no byte of it is in the file
 */
export function resolveRange(range: ByteRange, size: number): { start: number; length: number } {
  const start = 'last' in range ? Math.max(size - range.last, 0) : range.start;
  const end = 'last' in range ? size - 1 : Math.min(range.end ?? size - 1, size - 1);
  if (start >= size) throw unsatisfiable(size);
  return { start, length: end - start + 1 };
}

/** A file has another size than it was stored with. Caches would keep it for a year. */
export class WrongFileSize extends Error {
  /** @param size of the file in bytes */
  constructor(readonly size: number) {
    super(`the file of a picture has ${size} bytes`);
  }
}

/** @param stored size that the file was stored with, if it is known @throws WrongFileSize */
export function requireSize(size: number, stored: number | undefined): void {
  if (stored !== undefined && size !== stored) throw new WrongFileSize(size);
}

/**
 * The folder of pictures is not mounted. It has the members of an error of the file system, so that
 * the log does not repeat it with each request.
 */
export class NotMounted extends Error {
  readonly code = 'ENOENT';
  readonly syscall = 'mount';

  /** @param reason why the folder counts as not mounted */
  constructor(reason: string) {
    super(`ENOENT: ${reason} Is it mounted?`);
  }
}

/** The error 999 with 503 for a folder that is empty or missing, although pictures are stored. */
export const notMounted = (): ApiError =>
  unavailable(new NotMounted('PICTURES_DIR has no pictures, but the database references some.'));

/** An open file. The caller must read or destroy the stream. */
export interface StoredFile {
  readonly stream: Readable;
  /** Length of the stream in bytes. */
  readonly length: number;
  /** Length of the complete file in bytes. */
  readonly size: number;
  /** `Content-Range` of a partial response; undefined for the complete file. */
  readonly range?: string;
}

/** A file in a list. */
export interface ListedFile {
  readonly name: string;
  readonly modified: Date;
}

/**
 * Stores picture files. Names are those of `picture-names.ts`. Files never change, because names
 * derive from the content.
 */
export abstract class PictureStorage {
  /**
   * Stores a file atomically; an existing one is written again.
   * @param mayBeFirst whether a folder without pictures is expected, and created if it is missing
   * @throws ApiError 999 with 503 when the storage is unavailable, or not mounted
   */
  abstract put(name: string, bytes: Buffer, mayBeFirst: boolean): Promise<void>;

  /**
   * Opens a file or a range of it. For an unsatisfiable range, a bucket returns the complete file.
   * @param size that the file was stored with, if it is known; it is checked before the range
   * @returns undefined when not found
   * @throws WrongFileSize for a file of another size
   * @throws ApiError 999 with 503 when the storage is unavailable; with 416 for an unsatisfiable
   *   range of a file on disk
   */
  abstract get(name: string, range?: ByteRange, size?: number): Promise<StoredFile | undefined>;

  /**
   * Finds the size of a file in bytes, without opening it.
   * @param size that the file was stored with, if it is known
   * @returns undefined when not found
   * @throws WrongFileSize for a file of another size
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  abstract findSize(name: string, size?: number): Promise<number | undefined>;

  /**
   * Removes a file; no error when it does not exist.
   * @param onLate called when the deletion times out and continues; its promise settles when the
   *   deletion ends. A bucket never calls it
   * @returns false if an earlier attempt of the deletion failed, which may take effect later
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  abstract delete(name: string, onLate?: OnLate): Promise<boolean>;

  /**
   * Lists all picture files and incomplete files.
   * @param signal ends the list between two pages, with its reason
   * @throws ApiError 999 with 503 when the storage is unavailable or unmounted meanwhile
   */
  abstract list(signal?: AbortSignal): AsyncIterable<ListedFile>;

  /**
   * Whether the folder has no subfolders for pictures, as when its file system is not mounted.
   * False for storage that is not a folder.
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  mayBeUnmounted(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /**
   * Makes an empty folder count as mounted although it has no pictures: those that the database
   * references are lost. Does nothing for storage that is not a folder.
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  markMounted(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Identifies the folder. While its file system is not mounted, another folder has its path.
   * @returns undefined if it does not exist, and for storage that is not a folder
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  findFolderId(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * Checks that the folder was neither unmounted nor replaced.
   * @param id an earlier result of {@link findFolderId}; nothing is checked if it is undefined
   * @throws ApiError 999 with 503 when the folder is missing or another one, or is unavailable
   */
  async requireSameFolder(id: string | undefined): Promise<void> {
    if (id === undefined || (await this.findFolderId()) === id) return;
    throw unavailable(new NotMounted('PICTURES_DIR was unmounted or replaced while it was read.'));
  }

  /**
   * Rejects pending and later requests to a remote storage with 999 and 503, because the process
   * ends soon.
   */
  rejectPending(): void {
    // A disk has its own time limits.
  }

  /** The local path of a file, if the storage is a local disk. */
  placeOf(_name: string): string | undefined {
    return undefined;
  }
}
