/**
 * How deep JSON may be nested: no parameter or record has more than a few levels, and what goes
 * through a value level by level has a stack that ends.
 */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// Brackets and braces are told from other bytes by one bit apart from case: [ { and ] }.
const CASE = 0x20;
const OPENING = 0x5b | CASE;
const CLOSING = 0x5d | CASE;

/** The position after the string that begins at `start`, or the end of bytes that are cut off. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/**
 * Whether JSON is nested deeper than `limit`. Looks at its bytes before anything is parsed; of bytes
 * that are no JSON it says what they would nest.
 *
 * @param bytes UTF-8
 */
export function isNestedDeeper(bytes: Uint8Array, limit = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    const bracket = byte | CASE;
    if (bracket === OPENING) depth += 1;
    else if (bracket === CLOSING) depth -= 1;
    if (depth > limit) return true;
    at += 1;
  }
  return false;
}
