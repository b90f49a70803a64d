import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ManifestEntry } from './manifest';

function unpacked(path: string): Readable {
  const gunzip = createGunzip();
  // Errors of the file surface at the reader of what is in it.
  pipeline(createReadStream(path), gunzip, () => undefined);
  return gunzip;
}

/**
 * Reads all of a packed file and compares it with what the manifest says.
 *
 * @throws Error naming the file, when it is not the one that was exported
 */
export async function verifyFile(path: string, entry: ManifestEntry): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of unpacked(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw new Error(`${path} is damaged: ${String(error)}`, { cause: error });
  }
  if (bytes !== entry.bytes || hash.digest('hex') !== entry.sha256) {
    throw new Error(`${path} is damaged: its content has not the SHA-256 of the manifest`);
  }
}

const NEWLINE = 10;

/** Lines of a packed file, without their ends, in pieces as they are read. */
export async function* linesOf(path: string): AsyncGenerator<string[]> {
  // Bytes are put together only once a line is whole: lines with pictures are long.
  let pending: Buffer[] = [];
  for await (const chunk of unpacked(path) as AsyncIterable<Buffer>) {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      pending.push(chunk.subarray(from, end));
      lines.push(Buffer.concat(pending).toString('utf8'));
      pending = [];
      from = end + 1;
    }
    if (from < chunk.length) pending.push(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (pending.length > 0) yield [Buffer.concat(pending).toString('utf8')];
}
