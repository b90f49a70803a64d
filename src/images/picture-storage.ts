import { type Readable } from 'node:stream';

/** A byte range from `start` to `end`, both inclusive; to the end of the file without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** An open file. The caller must read or destroy the stream. */
export interface StoredFile {
  readonly stream: Readable;
  /** Length of the stream in bytes. */
  readonly length: number;
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
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  abstract put(name: string, bytes: Buffer): Promise<void>;

  /**
   * Opens a file or a range of it; an unsatisfiable range returns the complete file.
   * @returns undefined when not found
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  abstract get(name: string, range?: ByteRange): Promise<StoredFile | undefined>;

  /** Removes a file; no error when it does not exist. */
  abstract delete(name: string): Promise<void>;

  /**
   * Lists all picture files and incomplete files.
   * @param signal ends the list between two pages, with its reason
   * @throws ApiError 999 with 503 when the storage is unavailable
   */
  abstract list(signal?: AbortSignal): AsyncIterable<ListedFile>;

  /** The local path of a file, if the storage is a local disk. */
  placeOf(_name: string): string | undefined {
    return undefined;
  }
}
