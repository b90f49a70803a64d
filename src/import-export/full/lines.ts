import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ManifestEntry } from './manifest';

/** How each line of a record with an id begins. Within a record, JSON escapes line breaks. */
const START_OF_RECORD = '\n{"id":';
/** Characters after {@link START_OF_RECORD} that contain the id. */
const ID_LENGTH = 20;
const LONGEST_START = START_OF_RECORD.length + ID_LENGTH;

/** Finds the id of the last record of a file. */
class LastId {
  private tail = Buffer.from('\n');
  value: number | undefined;

  add(chunk: Buffer): void {
    const bytes = Buffer.concat([this.tail, chunk]);
    const at = bytes.lastIndexOf(START_OF_RECORD);
    const start = at + START_OF_RECORD.length;
    const id = /^"?(\d+)/.exec(bytes.toString('latin1', start, start + ID_LENGTH))?.[1];
    if (at >= 0 && id !== undefined) this.value = Number(id);
    this.tail = bytes.subarray(-LONGEST_START);
  }
}

function unpacked(path: string): Readable {
  const gunzip = createGunzip();
  // Errors of the file stream reach the reader of the decompressed stream.
  pipeline(createReadStream(path), gunzip, () => undefined);
  return gunzip;
}

/** Compares the content of a file with its entry in the manifest. */
export class ContentCheck {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(private readonly entry: ManifestEntry) {}

  /** @param chunk the next bytes, decompressed */
  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
  }

  get isTooLong(): boolean {
    return this.bytes > this.entry.bytes;
  }

  /** Whether all bytes that were added are the content of the file. Call it once. */
  isEqual(): boolean {
    return this.bytes === this.entry.bytes && this.hash.digest('hex') === this.entry.sha256;
  }
}

/**
 * Reads a compressed file and compares it with the manifest.
 * @returns the id of the last record, which is the highest; undefined for records without an id
 * @throws Error naming the file when it differs
 */
export async function verifyFile(
  path: string,
  entry: ManifestEntry,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const check = new ContentCheck(entry);
  const lastId = new LastId();
  try {
    for await (const chunk of unpacked(path) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      check.add(chunk);
      lastId.add(chunk);
      if (check.isTooLong) break;
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Error(`${path} is damaged: ${String(error)}`, { cause: error });
  }
  if (!check.isEqual()) {
    throw new Error(`${path} is damaged: its SHA-256 differs from the manifest`);
  }
  return lastId.value;
}
