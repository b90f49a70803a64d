import { createReadStream, type ReadStream } from 'node:fs';

/**
 * Opens a file to import. An error before its first read ends that read; without a listener, it
 * would end the process.
 */
export function openImportFile(
  path: string,
  options: { readonly highWaterMark?: number } = {},
): ReadStream {
  return createReadStream(path, options).on('error', () => undefined);
}
