import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/**
 * Writes texts to a stream and ends it.
 *
 * @param path of the export, which is compressed if it ends in `.gz`
 */
export const writeTexts = (
  texts: AsyncIterable<string>,
  path: string,
  target: NodeJS.WritableStream,
): Promise<void> =>
  pipeline([Readable.from(texts), ...(path.endsWith('.gz') ? [createGzip()] : []), target]);
