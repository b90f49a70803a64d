import { isUtf8 } from 'node:buffer';

/** Thrown for a file that is not UTF-8, before any of its records are stored. */
export class EncodingError extends Error {
  constructor(encoding: string, iconvName = encoding) {
    super(
      `the file is encoded in ${encoding}; imports need UTF-8: convert it first, ` +
        `for example with "iconv -f ${iconvName} -t UTF-8"`,
    );
  }
}

const NEWLINE = 10;

/**
 * Detects UTF-16 and UTF-32 by their byte order mark, or by zero bytes in text that begins with
 * ASCII.
 */
function wideEncoding(head: Buffer): string | undefined {
  const [a = -1, b = -1, c = -1, d = -1] = head;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32LE' : 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  if (a === 0 && b === 0) return d > 0 || (c === 0xfe && d === 0xff) ? 'UTF-32BE' : undefined;
  if (a > 0 && b === 0) return c === 0 && d === 0 ? 'UTF-32LE' : c > 0 ? 'UTF-16LE' : undefined;
  return a === 0 && b > 0 ? 'UTF-16BE' : undefined;
}

/** Whether most non-ASCII characters of the text are invalid UTF-8. */
function isMostlyBroken(bytes: Buffer): boolean {
  let [broken, valid] = [0, 0];
  for (const character of bytes.toString()) {
    if (character === '\ufffd') broken += 1;
    else if (character > '\u007f') valid += 1;
  }
  return broken > valid;
}

/**
 * Whether the bytes are probably Chinese text in GBK: most characters are pairs in the GB 2312
 * range. Text in Latin-1 and similar encodings does not match.
 */
function isGbk(bytes: Buffer): boolean {
  let [pairs, others] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]];
    if (lead < 0x80) continue;
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1 && trail <= 0xfe) pairs += 1;
    else others += 1;
    if (trail >= 0x40) at += 1;
  }
  return pairs > others * 3;
}

/** The complete lines of the text, or the whole text if it has no complete line. */
function linesOf(head: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = head.indexOf(NEWLINE); end >= 0; end = head.indexOf(NEWLINE, from)) {
    lines.push(head.subarray(from, end));
    from = end + 1;
  }
  return lines.length > 0 ? lines : [head];
}

/** The bytes without an incomplete last character. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

/**
 * Rejects a file whose encoding is not UTF-8. A few invalid lines do not reject the file: only
 * those records fail.
 * @param bytes the first bytes of a file, decompressed
 * @param recordPerLine whether each line is a record, so that most lines have text to check
 * @throws EncodingError naming UTF-16, UTF-32 or GBK
 */
export function requireUtf8(bytes: Buffer, recordPerLine: boolean): void {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) throw new EncodingError(wide);
  const head = withoutCutCharacter(bytes);
  if (isUtf8(head)) return;
  const lines = linesOf(head).filter((line) => !isBlank(line));
  const nonAscii = lines.filter((line) => !isAscii(line));
  const invalid = nonAscii.filter((line) => !isUtf8(line));
  const compared = recordPerLine ? lines.length : nonAscii.length;
  if (invalid.length < nonAscii.length || invalid.length * 2 <= compared) return;
  const all = Buffer.concat(invalid);
  if (isMostlyBroken(all) && isGbk(all)) throw new EncodingError('GBK', 'GB18030');
}
