import { createReadStream, type ReadStream } from 'node:fs';
import { type Readable } from 'node:stream';

/**
 * Opens a file to import. Without a listener, an error before the first read would end the process.
 * The first read reports the error.
 */
export function openImportFile(
  path: string,
  options: { readonly highWaterMark?: number } = {},
): ReadStream {
  return createReadStream(path, options).on('error', () => undefined);
}

/** Bytes of a file that is imported. */
export interface FileBytes {
  /** Size of the file when the import began. */
  readonly size: number;
  readonly read: number;
}

/**
 * Checks that a file was read to its end, also a compressed one. An input that the import has not
 * read to its end, for example behind the end of a compressed file, is not checked.
 *
 * @throws Error when the file became shorter during the import
 */
export function requireCompleteFile(
  path: string,
  input: Readable,
  { size, read }: FileBytes,
): void {
  if (!input.readableEnded || read >= size) return;
  throw new Error(
    `${path} became shorter during the import: it ended after ${read} of ` +
      `${size} bytes. Records after that are missing.`,
  );
}
