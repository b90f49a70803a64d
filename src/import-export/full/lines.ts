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

/** The first bytes of a file, decompressed. */
export interface FilePrefix {
  readonly bytes: number;
  /** SHA-256 of these bytes in hexadecimal digits. */
  readonly sha256: string;
}

/** Compares the content of a file with its entry in the manifest, and with an earlier attempt. */
export class ContentCheck {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** Whether the file begins with what the earlier attempt has read; false until it is known. */
  continuesEarlier: boolean;

  /** @param earlier what an earlier attempt has read; undefined for none */
  constructor(
    private readonly entry: ManifestEntry,
    private readonly earlier?: FilePrefix,
  ) {
    this.continuesEarlier = earlier === undefined;
  }

  /** @param chunk the next bytes, decompressed */
  add(chunk: Buffer): void {
    const left = this.earlier ? this.earlier.bytes - this.bytes : -1;
    if (left < 0 || left > chunk.length) {
      this.update(chunk);
      return;
    }
    this.update(chunk.subarray(0, left));
    this.continuesEarlier = this.prefix.sha256 === this.earlier?.sha256;
    this.update(chunk.subarray(left));
  }

  private update(bytes: Buffer): void {
    this.hash.update(bytes);
    this.bytes += bytes.length;
  }

  /** The bytes of all chunks that the reader of the file has added. */
  get prefix(): FilePrefix {
    return { bytes: this.bytes, sha256: this.hash.copy().digest('hex') };
  }

  get isTooLong(): boolean {
    return this.bytes > this.entry.bytes;
  }

  /** Whether all bytes that were added are the content of the file. Call it once. */
  isEqual(): boolean {
    return this.bytes === this.entry.bytes && this.hash.digest('hex') === this.entry.sha256;
  }
}

/** A file that equals its entry in the manifest. */
interface VerifiedFile {
  /** The id of the last record, which is the highest; undefined for records without an id. */
  readonly lastId: number | undefined;
  /** Whether it begins with what the earlier attempt has read. */
  readonly continuesEarlier: boolean;
}

/**
 * Reads a compressed file and compares it with the manifest.
 * @param options.signal ends the verification, with its reason
 * @param options.earlier what an earlier attempt has read; undefined for none
 * @throws Error naming the file when it differs
 */
export async function verifyFile(
  path: string,
  entry: ManifestEntry,
  { signal, earlier }: { readonly signal?: AbortSignal; readonly earlier?: FilePrefix } = {},
): Promise<VerifiedFile> {
  const check = new ContentCheck(entry, earlier);
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
  return { lastId: lastId.value, continuesEarlier: check.continuesEarlier };
}
