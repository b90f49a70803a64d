import { type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type DiskOperations } from '../api/body/disk-operations';
import { unavailable } from '../api/errors/error-codes';

/** Bytes to read at once. */
const CHUNK = 65_536;

/**
 * Reads the next bytes of a part of a file.
 * @throws ApiError 999 with 503 when the file became shorter
 */
export async function readChunk(
  handle: FileHandle,
  position: number,
  left: number,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(left, CHUNK));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
  if (bytesRead === 0) {
    throw unavailable(new Error('the file of a picture became shorter while it was read'));
  }
  return buffer.subarray(0, bytesRead);
}

/** A part of an open file, whose beginning is already read. */
interface FilePart {
  readonly handle: FileHandle;
  readonly start: number;
  readonly length: number;
  readonly beginning: Buffer;
}

/** Reads a part of a file, each chunk in its turn, and closes the file. */
export class FileStream extends Readable {
  private readonly handle: FileHandle;
  private beginning: Buffer | undefined;
  private position: number;
  private left: number;

  constructor(
    private readonly disk: DiskOperations,
    { handle, start, length, beginning }: FilePart,
  ) {
    // No chunk is read ahead: only those in the response count as unread.
    super({ highWaterMark: 0 });
    this.handle = handle;
    this.beginning = beginning;
    this.position = start;
    this.left = length;
  }

  override _read(): void {
    const { beginning } = this;
    this.beginning = undefined;
    if (beginning) {
      this.pass(beginning);
      return;
    }
    this.disk
      .run(() => readChunk(this.handle, this.position, this.left))
      .then(
        (chunk) => {
          this.pass(chunk);
        },
        (error: unknown) => {
          this.destroy(error as Error);
        },
      );
  }

  private pass(chunk: Buffer): void {
    this.position += chunk.length;
    this.left -= chunk.length;
    this.push(chunk);
    if (this.left === 0) this.push(null);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.disk.runWithoutTimeout(() => this.handle.close());
    done(error);
  }
}
