/** Maximum number of bytes of a line; RFC 5545 (3.1) permits 75. */
const MAX_BYTES = 74;

const [TWO_BYTES, THREE_BYTES] = [0x80, 0x800];
const [FIRST_HIGH_SURROGATE, LAST_HIGH_SURROGATE] = [0xd800, 0xdbff];

/** Bytes in UTF-8 of the character that begins with a UTF-16 unit. */
function bytesOf(unit: number): number {
  if (unit < TWO_BYTES) return 1;
  if (unit < THREE_BYTES) return 2;
  return unit >= FIRST_HIGH_SURROGATE && unit <= LAST_HIGH_SURROGATE ? 4 : 3;
}

/**
 * Folds the lines of an iCalendar file (RFC 5545, 3.1). `foldLines` of ical-generator does the same,
 * but takes more than a microsecond for each character: seconds for a page of long descriptions.
 * @param text lines that end with CRLF
 */
export function foldedLines(text: string): string {
  let folded = '';
  let from = 0;
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const size = bytesOf(unit);
    if (unit === 0x0d && text.charCodeAt(at + 1) === 0x0a) {
      bytes = 0;
      at += 2;
      continue;
    }
    if (bytes + size > MAX_BYTES) {
      folded += `${text.slice(from, at)}\r\n `;
      from = at;
      bytes = 0;
    }
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  return folded + text.slice(from);
}
