const LATIN1 = /^[\0-\xff]*$/;

/**
 * Copies a text that stays in memory longer than its request. V8 keeps the whole of a text in memory
 * for a part of it, and the parts of a joined text: a key with a value of a URL would keep the URL,
 * which may have 64 KB.
 */
export function ownText(text: string): string {
  // UTF-16 preserves single surrogates, but takes two bytes for each character.
  const encoding = LATIN1.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
