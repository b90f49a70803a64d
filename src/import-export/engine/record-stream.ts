import { type Readable } from 'node:stream';
import { requireUtf8 } from './encoding';
import { requireJson } from './file-format';
import { LineSplitter, type ByteLine } from './line-splitter';
import { plainBytes } from './plain-bytes';
import { parseRecord, type ListMembers, type RawRecord, type SizedRecord } from './raw-record';
import { StructureScanner } from './structure-scanner';

export { type RawRecord } from './raw-record';

/** Bytes to read before deciding whether the file has one record per line. */
const HEAD = 1_048_576;

const NEWLINE = 10;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const isMarked = (bytes: Buffer): boolean =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);

/** Counts the bytes of records as they are read. */
export interface RecordMeter {
  bytes: number;
}

/** A byte source with lookahead. */
class Source {
  private ahead: Buffer[] = [];
  private done = false;

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  get isComplete(): boolean {
    return this.done;
  }

  /** The lookahead: two non-empty lines, 1 MB, or the rest of the file. */
  async head(): Promise<Buffer> {
    let size = 0;
    let lines = 0;
    let blank = true;
    const look = (chunk: Buffer): void => {
      size += chunk.length;
      for (let at = 0; at < chunk.length && lines < 2; at += 1) {
        const byte = chunk[at] as number;
        if (byte > 0x20) blank = false;
        else if (byte === NEWLINE) {
          if (!blank) lines += 1;
          blank = true;
        }
      }
    };
    this.ahead.forEach(look);
    while (lines < 2 && size < HEAD && !this.done) {
      const next = await this.chunks.next();
      if (next.done === true) this.done = true;
      else {
        this.ahead.push(next.value);
        look(next.value);
      }
    }
    return Buffer.concat(this.ahead);
  }

  /** Skips bytes of the lookahead. */
  skip(bytes: number): void {
    this.ahead = [Buffer.concat(this.ahead).subarray(bytes)];
  }

  async next(): Promise<Buffer | undefined> {
    const ahead = this.ahead.shift();
    if (ahead !== undefined || this.done) return ahead;
    const next = await this.chunks.next();
    this.done = next.done === true;
    return next.done === true ? undefined : next.value;
  }

  unread(bytes: Buffer): void {
    this.ahead.unshift(bytes);
  }
}

/**
 * Streams the records of a file. The file is one JSON object, an array of objects, a list response
 * with one of `members`, or newline-delimited JSON; gzip is detected. Each byte is scanned once.
 * A record over 16 MB or with invalid UTF-8 fails alone. Reading continues after it, or on the next
 * line if its end cannot be determined.
 * @param held members whose elements need the surrounding list response
 * @param meter counts the bytes of the records
 * @throws EncodingError for a file in UTF-16, UTF-32 or GBK
 * @throws FormatError for a file that is not JSON
 */
export async function* readRecords(
  input: Readable,
  members: ReadonlySet<string>,
  needingEnvelope: ReadonlySet<string> = new Set(),
  meter: RecordMeter = { bytes: 0 },
): AsyncGenerator<RawRecord> {
  const source = new Source(plainBytes(input));
  const lists = { members, needingEnvelope };
  let first = true;
  // The lines after a long first line may have another form, so the form is detected again.
  for (let line = 1; ;) {
    const head = await source.head();
    if (head.length === 0) return;
    const start = head.subarray(0, HEAD);
    const isComplete = source.isComplete && head.length <= HEAD;
    const recordPerLine = isRecordPerLine(start, isComplete);
    if (first) {
      requireUtf8(start, recordPerLine);
      requireJson(start, isComplete);
      if (isMarked(start)) source.skip(BYTE_ORDER_MARK.length);
      first = false;
    }
    if (recordPerLine) {
      yield* readByLine(source, line, lists, meter);
      return;
    }
    const scanner = new StructureScanner(lists, line, !start.includes(NEWLINE));
    const ended = yield* readByStructure(source, scanner, meter);
    if (ended) return;
    line = scanner.currentLine;
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** One of the first two lines is a complete object. The other may be a damaged record. */
function isRecordPerLine(head: Buffer, isComplete: boolean): boolean {
  if (!head.includes(NEWLINE)) return false;
  const text = head.toString().trim();
  if (text.startsWith('[')) return false;
  const lines = text.split('\n', 3).filter((line) => line.trim() !== '');
  // The last line read so far may be incomplete.
  const complete = isComplete ? lines : lines.slice(0, Math.max(1, lines.length - 1));
  return text.includes('\n') && complete.slice(0, 2).some(isObject);
}

/** A line may contain a list response. */
function* unwrap(
  record: RawRecord,
  { members, needingEnvelope }: ListMembers,
): Generator<RawRecord> {
  const { value, line } = record;
  let wrapped = false;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const envelope = value as Record<string, unknown>;
    for (const member of Object.keys(value)) {
      if (!members.has(member)) continue;
      const list = envelope[member];
      if (!Array.isArray(list)) continue;
      wrapped = true;
      for (const [at, element] of (list as unknown[]).entries()) {
        const inside = { line, member, value: element };
        yield needingEnvelope.has(member)
          ? { ...inside, envelope: { members: envelope, at } }
          : inside;
      }
    }
  }
  if (!wrapped) yield record;
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

function readLine({ line, bytes, error }: ByteLine): SizedRecord | undefined {
  if (bytes === undefined) return { record: { line, error }, size: 0 };
  if (isBlank(bytes)) return undefined;
  // Concatenated files have a byte order mark at each start.
  const json = isMarked(bytes) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  return { record: parseRecord(json, line), size: bytes.length };
}

async function* readByLine(
  source: Source,
  firstLine: number,
  lists: ListMembers,
  meter: RecordMeter,
): AsyncGenerator<RawRecord> {
  const splitter = new LineSplitter(firstLine);
  const records = function* (lines: Iterable<ByteLine>): Generator<RawRecord> {
    for (const line of lines) {
      const read = readLine(line);
      if (!read) continue;
      meter.bytes += read.size;
      yield* unwrap(read.record, lists);
    }
  };
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    yield* records(splitter.push(chunk));
  }
  yield* records(splitter.end());
}

/** @returns whether the end was reached; otherwise the scanner stopped at the end of a line */
async function* readByStructure(
  source: Source,
  scanner: StructureScanner,
  meter: RecordMeter,
): AsyncGenerator<RawRecord, boolean> {
  const records = function* (): Generator<RawRecord> {
    for (const { record, size } of scanner.takeFound()) {
      meter.bytes += size;
      yield record;
    }
  };
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    const stopped = scanner.push(chunk);
    if (stopped !== undefined && stopped < chunk.length) source.unread(chunk.subarray(stopped));
    yield* records();
    if (stopped !== undefined) return false;
  }
  scanner.end();
  yield* records();
  return true;
}
