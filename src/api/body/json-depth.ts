/**
 * Maximum nesting of JSON. Parameters and records have only a few levels, and deep nesting would
 * overflow the stack of recursive functions.
 */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// [ and { differ in this bit only, as do ] and }.
const CASE = 0x20;
const OPENING = 0x5b | CASE;
const CLOSING = 0x5d | CASE;

/**
 * Whether JSON is nested deeper than `limit`. It examines the text before parsing; for invalid JSON
 * it counts the brackets and braces.
 *
 * @param json UTF-8, or text
 */
export function isNestedDeeper(json: Uint8Array | string, limit = MAX_JSON_DEPTH): boolean {
  // Bytes of non-ASCII characters in UTF-8 are never brackets, braces or quotes.
  return typeof json === 'string'
    ? countsMoreThan(json, ['[', '{'], limit) &&
        isDeeper(json.length, (at) => json.charCodeAt(at), limit)
    : isDeeper(json.length, (at) => json[at] as number, limit);
}

/** Most records have too few brackets and braces to be nested too deeply. */
function countsMoreThan(text: string, characters: readonly string[], limit: number): boolean {
  let count = 0;
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

function isDeeper(length: number, unitAt: (at: number) => number, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < length; at += 1) {
    const unit = unitAt(at);
    if (inString) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) inString = false;
      continue;
    }
    const bracket = unit | CASE;
    if (unit === QUOTE) inString = true;
    else if (bracket === OPENING) depth += 1;
    else if (bracket === CLOSING) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
