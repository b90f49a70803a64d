const LATIN1 = /^[\0-\xff]*$/;

/**
 * Copies a string that stays in memory longer than its request. V8 keeps the parent of a substring
 * and the parts of a concatenation in memory: a cache key with a part of a URL would keep the whole
 * URL (up to 64 KB).
 */
export function copyString(text: string): string {
  // UTF-16 preserves single surrogates, but takes two bytes for each character.
  const encoding = LATIN1.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
