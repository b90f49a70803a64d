import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Headers } from 'tar-stream';
import {
  type BackupInfo,
  type BackupTotals,
  COMPLETE,
  INFO,
  PICTURES_FOLDER,
  SUMS,
  sumLine,
} from './archive';
import { addEntry } from './archive-entry';

/** A low level saves CPU time, because the server handles requests meanwhile. */
const LEVEL = 3;
/** Bytes per read. */
const CHUNK = 1 << 18;
/** Lines of checksums in a buffer: as bytes, those of many files need little memory. */
const SUM_LINES_PER_BUFFER = 500;

/** Writes a backup as a stream; `archive.ts` describes the format. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly sums: Buffer[] = [];
  private lines: string[] = [];
  private files = 0;
  private pictures = 0;
  private bytes = 0;
  private readonly written: Promise<void>;
  /** Aborts when the destination fails. */
  private readonly destinationFailed = new AbortController();

  /**
   * @param destination is ended by `finish` and destroyed by `abort`
   * @param beforeChunk called before each chunk of a file; an exception ends the backup
   */
  constructor(
    destination: Writable,
    private readonly beforeChunk: () => void | Promise<void>,
  ) {
    this.written = pipeline(Readable.from(this.tar), createGzip({ level: LEVEL }), destination);
    // The next operation that awaits `written` reports the failure.
    this.written.catch(() => {
      this.destinationFailed.abort();
    });
  }

  /** Adds the first entry. */
  async begin(info: BackupInfo): Promise<void> {
    await this.addText(INFO, `${JSON.stringify(info)}\n`);
  }

  /** Adds an empty folder. */
  async addFolder(name: string): Promise<void> {
    await this.writeEntry({ name, type: 'directory', mode: 0o700 }, []);
  }

  /** Adds a text file. */
  async addText(name: string, text: string): Promise<void> {
    await this.addBytes(name, Buffer.from(text));
  }

  /** Adds a binary file. */
  async addBytes(name: string, bytes: Buffer): Promise<void> {
    await this.add({ name, size: bytes.length }, [bytes]);
  }

  /**
   * Adds a file in its current state. A file that shrinks is padded with zeros, and growth is
   * ignored: PostgreSQL repairs both from its write-ahead log.
   * @returns false when the file does not exist
   */
  async addFile(name: string, path: string): Promise<boolean> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return false;
    try {
      const { size, mtime } = await file.stat();
      await this.add({ name, size, mtime }, chunksOf(file, size));
    } finally {
      await file.close();
    }
    return true;
  }

  /** Writes checksums and totals, and waits until the destination has received all data. */
  async finish(): Promise<BackupTotals> {
    const totals = {
      files: this.files,
      pictures: this.pictures,
      bytes: this.bytes,
      finishedAt: new Date().toISOString(),
    };
    this.flushSums();
    const size = this.sums.reduce((sum, { length }) => sum + length, 0);
    await this.add({ name: SUMS, size }, this.sums);
    await this.addText(COMPLETE, `${JSON.stringify(totals)}\n`);
    this.tar.finalize();
    await this.written;
    return totals;
  }

  /** Aborts the archive; never rejects. */
  async abort(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
  }

  private async add(
    header: Headers & { size: number },
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<void> {
    const hash = createHash('sha256');
    await this.writeEntry({ mode: 0o600, ...header }, this.hashed(chunks, hash));
    this.count(header.name, header.size, hash.digest('hex'));
  }

  private async *hashed(
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
    hash: Hash,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      await this.beforeChunk();
      hash.update(chunk);
      yield chunk;
    }
  }

  private async writeEntry(
    header: Headers,
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<void> {
    const { signal } = this.destinationFailed;
    try {
      await addEntry(this.tar, header, chunks, signal);
    } catch (error) {
      // The failure of the destination destroyed the archive, and is the reason.
      if (signal.aborted || this.tar.destroyed) await this.written;
      throw error;
    }
  }

  private count(name: string, size: number, digest: string): void {
    this.files += 1;
    this.lines.push(sumLine(digest, name));
    if (this.lines.length === SUM_LINES_PER_BUFFER) this.flushSums();
    this.bytes += size;
    if (name.startsWith(PICTURES_FOLDER)) this.pictures += 1;
  }

  private flushSums(): void {
    this.sums.push(Buffer.from(this.lines.join('')));
    this.lines = [];
  }
}

/** Exactly `size` bytes of a file from its start. */
async function* chunksOf(
  file: Awaited<ReturnType<typeof open>>,
  size: number,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const chunk = Buffer.alloc(Math.min(CHUNK, size - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    // Zeros replace the missing end of a file that has shrunk.
    const piece = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
    at += piece.length;
    yield piece;
  }
}
