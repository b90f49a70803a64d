import { normalized } from './normalize';

/** Control characters, except newline and tab, are removed from text (D9). */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Cleans text (D9): newlines as line ends, no control characters except newline and tab,
 * well-formed Unicode in NFC, trimmed.
 */
export function cleanText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').toWellFormed();
  return normalized(plain, 'NFC').trim();
}

/** Length in code points, the unit of every limit (D9). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first `limit` code points of a text. */
export function firstOf(text: string, limit: number): string {
  // A code point has at most two UTF-16 units, so this avoids spreading a long text.
  return Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join('');
}
