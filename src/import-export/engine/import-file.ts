import { createReadStream, type ReadStream } from 'node:fs';

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
