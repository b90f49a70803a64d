/** Maximum number of values in a JSON body, and of members: each takes up to 100 bytes when it is parsed. */
export const MAX_JSON_VALUES = 50_000;

/** The same of public routes: their bodies are in memory while a sign-in waits for its turn. */
export const MAX_PUBLIC_VALUES = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** 1 for each byte that can precede a value. */
const BEFORE_VALUE = new Uint8Array(256);
for (const byte of Buffer.from('{[,:')) BEFORE_VALUE[byte] = 1;

/**
 * Whether JSON has too many values to be parsed. Invalid JSON is counted as far as it can be.
 *
 * @param most maximum number of values, and of members
 */
export function hasTooManyValues(json: Uint8Array, most = MAX_JSON_VALUES): boolean {
  if (json.length <= most) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === QUOTE) inString = !inString;
    else if (!inString) values += BEFORE_VALUE[byte] as number;
    else if (byte === BACKSLASH) at += 1;
  }
  return values > most;
}
