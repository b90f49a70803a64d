import { ByteBuffer } from './byte-buffer';
import { EnvelopeText, TOO_MANY_LISTS } from './envelope-text';
import {
  NEWLINE,
  QUOTE,
  COMMA,
  COLON,
  OPEN_LIST,
  BACKSLASH,
  OPEN_OBJECT,
  NULL,
  STRUCTURAL,
  isSpace,
  isBlank,
} from './json-bytes';
import { parseRecord, type ListMembers, type RawRecord, type SizedRecord } from './raw-record';
import { MAX_KEY_BYTES, MAX_RECORD_BYTES, MAX_WAITING_ELEMENTS, TOO_LONG } from './record-limits';

/**
 * Finds records in JSON by its brackets: objects, arrays of objects and list responses. It scans
 * each byte once. It buffers at most one record, and the elements that wait for their surrounding
 * list response.
 */
export class StructureScanner {
  /** Current nesting depth. */
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** Depth of the list of records: 1 for an array, 2 inside a list response. */
  private listDepth = 0;
  /** Line on which the list begins. */
  private listLine = 0;
  private member: string | undefined;
  private wrapped = false;
  private key = '';
  private readonly keyBytes = Buffer.alloc(MAX_KEY_BYTES);
  private keyLength = 0;

  private readonly text = new ByteBuffer();
  private textLine = 1;
  /** The current text exceeds the limit, so it is not buffered. */
  private tooLong = false;
  /** Start of the current text's part in the chunk that is not buffered yet. */
  private from = -1;

  private readonly envelope = new EnvelopeText();
  private at = 0;
  private waiting: SizedRecord[] = [];
  private waitingBytes = 0;
  private found: SizedRecord[] = [];

  /**
   * @param line number of the first line
   * @param untilLineEnd whether to stop at the first end of a line between records
   */
  constructor(
    private readonly lists: ListMembers,
    private line: number,
    private readonly untilLineEnd: boolean,
  ) {}

  /** Number of the current line. */
  get currentLine(): number {
    return this.line;
  }

  takeFound(): SizedRecord[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  /**
   * Scans a chunk or a part of it.
   * @returns the position after the line break where it stopped; undefined at the end of the chunk
   */
  push(chunk: Buffer): number | undefined {
    this.from = this.text.length > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.inString) {
        at = this.skipString(chunk, at);
        if (at >= chunk.length) break;
      }
      const byte = chunk[at] as number;
      if (STRUCTURAL[byte] === 1) {
        if (this.structural(chunk, at, byte)) return at + 1;
      } else if (this.from < 0 && !this.tooLong && !isSpace(byte)) {
        this.begin(at);
      }
    }
    this.keep(chunk, chunk.length);
    return undefined;
  }

  end(): void {
    this.release(false);
    if (this.tooLong) this.add({ line: this.textLine, error: TOO_LONG }, 0);
    else if (this.depth > 0 || this.inString) {
      this.add({ line: this.line, error: 'the file ends early' }, 0);
    } else if (!isBlank(this.text.view())) {
      this.add(parseRecord(this.text.view(), this.textLine), this.text.length);
    }
  }

  /** @returns the position of the closing quote or of a significant byte; else the length */
  private skipString(chunk: Buffer, start: number): number {
    const { length } = chunk;
    let { escaped } = this;
    let at = start;
    for (; at < length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === NEWLINE || (byte === QUOTE && !escaped)) break;
      escaped = byte === BACKSLASH && !escaped;
    }
    this.escaped = escaped;
    if (this.keyLength < MAX_KEY_BYTES) {
      this.keyLength += chunk.copy(this.keyBytes, this.keyLength, start, at);
    }
    return at;
  }

  /** @returns whether to stop after this byte */
  private structural(chunk: Buffer, at: number, byte: number): boolean {
    if (byte === NEWLINE) return this.newline(chunk, at);
    if (byte === QUOTE) {
      if (this.inString) this.inString = false;
      else {
        this.inString = true;
        this.keyLength = 0;
      }
    } else if (byte === COLON) {
      if (this.depth === 1) this.key = this.keyBytes.toString('latin1', 0, this.keyLength);
    } else if (byte === COMMA) {
      if (this.depth === this.listDepth && this.listDepth > 0) {
        this.keep(chunk, at);
        this.emit();
        return false;
      }
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (byte === OPEN_LIST && this.opensList(chunk, at)) return false;
      this.depth += 1;
    } else {
      return this.closing(chunk, at);
    }
    this.begin(at);
    return false;
  }

  private closing(chunk: Buffer, at: number): boolean {
    if (this.depth === this.listDepth && this.listDepth > 0) {
      this.keep(chunk, at);
      this.emit();
      this.depth -= 1;
      this.listDepth = 0;
      return false;
    }
    // An unmatched closing bracket ends the text before it, which is not a record.
    if (this.depth > 0) this.depth -= 1;
    this.begin(at);
    if (this.depth === 0 && this.listDepth === 0) {
      this.keep(chunk, at + 1);
      this.emitTop();
    }
    return false;
  }

  private newline(chunk: Buffer, at: number): boolean {
    this.line += 1;
    this.escaped = false;
    this.keep(chunk, at);
    const oneLine = this.textLine === this.line - 1;
    if (this.tooLong && oneLine) this.giveUp();
    else if (this.text.length > 0) this.from = at;
    const between = this.depth === 0 && this.text.length === 0 && !this.tooLong;
    return between && this.untilLineEnd;
  }

  /**
   * The record exceeds the limit on one line and its end is unclear, so scanning restarts on the
   * next line.
   */
  private giveUp(): void {
    this.inString = false;
    this.escaped = false;
    this.emit();
    // A list that began on this line may be a misread, so it is discarded.
    if (this.listDepth > 0 && this.listLine === this.line - 1) this.listDepth = 0;
    this.depth = this.listDepth;
    if (this.listDepth > 0) return;
    this.release(false);
    this.leaveWrapper();
  }

  /** The byte belongs to the text and starts it if necessary. */
  private begin(at: number): void {
    if (this.from >= 0 || this.tooLong) return;
    this.from = at;
    if (this.text.length === 0) this.textLine = this.line;
  }

  /** Appends the chunk up to the position to the text. */
  private keep(chunk: Buffer, to: number): void {
    if (this.from < 0) return;
    if (this.text.length + to - this.from > MAX_RECORD_BYTES) {
      this.tooLong = true;
      this.text.clear();
    } else {
      this.text.append(chunk, this.from, to);
    }
    this.from = -1;
  }

  /** Whether the bracket opens the list of records. */
  private opensList(chunk: Buffer, at: number): boolean {
    if (this.listDepth > 0) return false;
    const top = this.depth === 0;
    if (!top && !(this.depth === 1 && this.lists.members.has(this.key))) return false;
    this.keep(chunk, at);
    this.depth += 1;
    this.listDepth = this.depth;
    this.listLine = this.line;
    this.member = top ? undefined : this.key;
    this.wrapped = !top;
    this.at = 0;
    if (this.tooLong) this.emit();
    else if (!top) this.envelope.append(this.text.view(), NULL);
    this.text.clear();
    return true;
  }

  private add(record: RawRecord, size: number): void {
    this.found.push({ record, size });
  }

  private emit(): void {
    const { textLine: line, member, tooLong } = this;
    const json = this.text.view();
    const size = json.length;
    const named = member === undefined ? {} : { member };
    this.text.clear();
    this.tooLong = false;
    if (tooLong) {
      this.add({ line, error: TOO_LONG, ...named }, 0);
      return;
    }
    if (isBlank(json)) return;
    const record = { ...parseRecord(json, line), ...named };
    if (member === undefined || !this.lists.needingEnvelope.has(member)) {
      this.add(record, size);
      return;
    }
    this.waiting.push({ record: { ...record, envelope: { members: {}, at: this.at++ } }, size });
    this.waitingBytes += size;
    if (this.waiting.length >= MAX_WAITING_ELEMENTS || this.waitingBytes >= MAX_RECORD_BYTES) {
      this.release(true);
    }
  }

  /**
   * Emits the waiting elements with the object around their list.
   * @param isOpen whether the object continues after them
   */
  private release(isOpen: boolean): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.waitingBytes = 0;
    const members = isOpen ? this.envelope.parseOpen() : this.envelope.parse();
    for (const { record, size } of waiting) {
      const { line, member = '', envelope } = record;
      if (members === undefined) this.add({ line, member, error: TOO_MANY_LISTS }, size);
      else this.add({ ...record, envelope: { members, at: envelope?.at ?? 0 } }, size);
    }
  }

  private leaveWrapper(): void {
    this.envelope.clear();
    this.wrapped = false;
    this.member = undefined;
  }

  /** Emits a complete top-level value, unless it was the envelope of a list. */
  private emitTop(): void {
    if (!this.wrapped) {
      this.emit();
      return;
    }
    if (this.tooLong) this.add({ line: this.textLine, error: TOO_LONG }, 0);
    else this.envelope.append(this.text.view());
    this.text.clear();
    this.tooLong = false;
    this.release(false);
    this.leaveWrapper();
  }
}
