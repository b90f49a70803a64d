import { isUtf8 } from 'node:buffer';
import { type Readable } from 'node:stream';
import { ByteBuffer } from './byte-buffer';
import { requireUtf8 } from './encoding';
import { plainBytes } from './plain-bytes';
import { MAX_RECORD_BYTES, NOT_UTF8, TOO_LONG } from './record-limits';

const NEWLINE = 10;

/** A line without its line break, or the reason it is invalid. */
export interface ByteLine {
  /** 1-based. */
  readonly line: number;
  /** Valid until the next chunk is read. */
  readonly bytes?: Buffer;
  readonly error?: string;
}

/** Splits bytes into lines in linear time. A line over the size limit is skipped and reported. */
export class LineSplitter {
  private readonly pending = new ByteBuffer();
  private tooLong = false;

  /** @param line number of the first line */
  constructor(private line = 1) {}

  *push(chunk: Buffer): Generator<ByteLine> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield this.take(chunk, from, end);
      from = end + 1;
    }
    this.keep(chunk, from);
  }

  /** The last line of a file that does not end with a line break. */
  *end(): Generator<ByteLine> {
    if (this.pending.length > 0 || this.tooLong) yield this.take(Buffer.alloc(0), 0, 0);
  }

  private take(chunk: Buffer, from: number, end: number): ByteLine {
    const line = this.line;
    this.line += 1;
    if (this.tooLong || this.pending.length + end - from > MAX_RECORD_BYTES) {
      this.tooLong = false;
      this.pending.clear();
      return { line, error: TOO_LONG };
    }
    if (this.pending.length === 0) return { line, bytes: chunk.subarray(from, end) };
    this.pending.append(chunk, from, end);
    const bytes = this.pending.view();
    this.pending.clear();
    return { line, bytes };
  }

  private keep(chunk: Buffer, from: number): void {
    if (this.tooLong) return;
    if (this.pending.length + chunk.length - from > MAX_RECORD_BYTES) {
      this.tooLong = true;
      this.pending.clear();
    } else {
      this.pending.append(chunk, from);
    }
  }
}

/** The text of a line, or the reason it is invalid. */
export interface TextLine {
  readonly line: number;
  readonly text?: string;
  readonly error?: string;
  /** Size of the line in bytes. */
  readonly size: number;
}

/** Decodes a line. */
export function toTextLine({ line, bytes, error }: ByteLine): TextLine {
  if (bytes === undefined) return { line, error, size: 0 };
  const size = bytes.length;
  return isUtf8(bytes) ? { line, text: bytes.toString(), size } : { line, error: NOT_UTF8, size };
}

/**
 * The lines of a file, which may be compressed.
 * @param onBytes called with the decompressed bytes of the file, chunk by chunk
 * @throws EncodingError when the file is not UTF-8
 */
export async function* readLines(
  input: Readable,
  onBytes?: (chunk: Buffer) => void,
): AsyncGenerator<TextLine> {
  const splitter = new LineSplitter();
  let first = true;
  for await (const chunk of plainBytes(input)) {
    onBytes?.(chunk);
    if (first) requireUtf8(chunk, true);
    first = false;
    for (const line of splitter.push(chunk)) yield toTextLine(line);
  }
  for (const line of splitter.end()) yield toTextLine(line);
}
