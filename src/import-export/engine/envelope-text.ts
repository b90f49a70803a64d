import { ByteBuffer } from './byte-buffer';
import { CLOSING } from './json-bytes';
import { parseRecord } from './raw-record';
import { MAX_RECORD_BYTES } from './record-limits';

/** Members of an object. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Maximum number of times that an object is parsed before its end. It changes with each of its
 * lists, and only a list of thousands of elements is emitted before the end of the object. An object
 * of a list response has fewer lists, unless it repeats names.
 */
const MAX_PARSES = 20;

/** The error for elements of later lists. */
export const TOO_MANY_LISTS = `in an object with more than ${MAX_PARSES} long lists`;

/** The object around lists of records, as read so far, with null in place of each list. */
export class EnvelopeText {
  private readonly text = new ByteBuffer();
  /** The members of the text so far, which all elements share. */
  private parsed: Members | undefined;
  private parses = 0;

  /** Appends text, unless the object would exceed the maximum size of a record. */
  append(...pieces: Buffer[]): void {
    for (const piece of pieces) {
      if (this.text.length + piece.length > MAX_RECORD_BYTES) continue;
      this.text.append(piece);
      this.parsed = undefined;
    }
  }

  clear(): void {
    this.text.clear();
    this.parsed = undefined;
    this.parses = 0;
  }

  /**
   * The members of the object so far. They are parsed once for each list, and for a limited number
   * of lists, so that the cost depends on the size of the file only.
   * @returns undefined when the limit is reached
   */
  parseOpen(): Members | undefined {
    if (this.parsed === undefined) {
      if (this.parses >= MAX_PARSES) return undefined;
      this.parses += 1;
      this.parsed = membersOf(Buffer.concat([this.text.view(), CLOSING]));
    }
    return this.parsed;
  }

  /** The members of the object, which is complete unless the file is damaged. */
  parse(): Members {
    return membersOf(this.text.view());
  }
}

/** The members of an object; none if it is invalid. */
const membersOf = (json: Buffer): Members => (parseRecord(json, 0).value ?? {}) as Members;
