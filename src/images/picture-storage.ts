import { type Readable } from 'node:stream';

/** Bytes of a file from `start` to `end`, both included; to the last one without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A stored file, being read. Whoever got it reads or destroys the stream. */
export interface StoredFile {
  readonly stream: Readable;
  /** Bytes that the stream has. */
  readonly length: number;
  /** `Content-Range` of a part; undefined when it is the whole file. */
  readonly range?: string;
}

/** A file in a list. */
export interface ListedFile {
  readonly name: string;
  readonly modified: Date;
}

/**
 * Where the files of pictures are. Names are those of `picture-names.ts`; a file never changes, as
 * its name is made of its content.
 */
export abstract class PictureStorage {
  /**
   * Stores a file, whole or not at all; one that is there is written again.
   *
   * @throws ApiError 999 with 503 when the storage is away
   */
  abstract put(name: string, bytes: Buffer): Promise<void>;

  /**
   * A file, or a part of it; a range that the file does not have gives the whole one.
   *
   * @returns undefined when there is no such file
   * @throws ApiError 999 with 503 when the storage is away
   */
  abstract get(name: string, range?: ByteRange): Promise<StoredFile | undefined>;

  /** Removes a file; it is fine when there is none. */
  abstract remove(name: string): Promise<void>;

  /** Every file of pictures, also what was left of writing them. */
  abstract list(): AsyncIterable<ListedFile>;

  /** Where a file lies on this machine's disk, should it lie there. */
  placeOf(_name: string): string | undefined {
    return undefined;
  }
}
