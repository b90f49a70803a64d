import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Headers, type Pack } from 'tar-stream';
import {
  type BackupInfo,
  type BackupTotals,
  COMPLETE,
  INFO,
  PICTURES_FOLDER,
  SUMS,
  sumLine,
} from './archive';

/** A low level saves CPU time, because the server handles requests meanwhile. */
const LEVEL = 3;
/** Bytes per read. */
const CHUNK = 1 << 18;

/** Writes a backup as a stream; `archive.ts` describes the format. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly lines: string[] = [];
  private pictures = 0;
  private bytes = 0;
  private readonly written: Promise<void>;

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
    this.written.catch(() => undefined);
  }

  /** Adds the first entry. */
  async begin(info: BackupInfo): Promise<void> {
    await this.addText(INFO, `${JSON.stringify(info)}\n`);
  }

  /** Adds an empty folder. */
  async addFolder(name: string): Promise<void> {
    const entry = await this.entry({ name, type: 'directory', mode: 0o700 });
    entry.end();
    await this.unlessBroken(Promise.resolve());
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
      files: this.lines.length,
      pictures: this.pictures,
      bytes: this.bytes,
      finishedAt: new Date().toISOString(),
    };
    const sums = this.lines.map((line) => Buffer.from(line));
    await this.add({ name: SUMS, size: sums.reduce((sum, { length }) => sum + length, 0) }, sums);
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
    const entry = await this.entry({ mode: 0o600, ...header });
    const hash = createHash('sha256');
    for await (const chunk of chunks) {
      await this.beforeChunk();
      hash.update(chunk);
      if (!entry.write(chunk)) await this.unlessBroken(once(entry, 'drain'));
    }
    entry.end();
    await this.unlessBroken(Promise.resolve());
    this.count(header.name, header.size, hash.digest('hex'));
  }

  /** An entry whose failure is that of the archive: without a listener, it would end the process. */
  private async entry(header: Headers): Promise<ReturnType<Pack['entry']>> {
    try {
      return this.tar.entry(header).on('error', () => undefined);
    } catch (error) {
      // The failure of the destination destroyed the archive, and is the reason.
      await this.written;
      throw error;
    }
  }

  private count(name: string, size: number, digest: string): void {
    this.lines.push(sumLine(digest, name));
    this.bytes += size;
    if (name.startsWith(PICTURES_FOLDER)) this.pictures += 1;
  }

  /** Rejects when the destination fails, because the work would wait forever then. */
  private async unlessBroken(work: Promise<unknown>): Promise<void> {
    await Promise.race([this.written, work]);
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
