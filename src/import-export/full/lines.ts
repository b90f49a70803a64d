import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ManifestEntry } from './manifest';

function unpacked(path: string): Readable {
  const gunzip = createGunzip();
  // Errors of the file stream reach the reader of the decompressed stream.
  pipeline(createReadStream(path), gunzip, () => undefined);
  return gunzip;
}

/**
 * Reads a compressed file and compares it with the manifest.
 * @throws Error naming the file when it differs
 */
export async function verifyFile(
  path: string,
  entry: ManifestEntry,
  signal?: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of unpacked(path) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > entry.bytes) break;
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Error(`${path} is damaged: ${String(error)}`, { cause: error });
  }
  if (bytes !== entry.bytes || hash.digest('hex') !== entry.sha256) {
    throw new Error(`${path} is damaged: its SHA-256 differs from the manifest`);
  }
}
